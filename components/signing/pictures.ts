"use client";
/** Pictures of what will be stamped, requested once each: a mark's key changes with its appearance. */
import { useCallback, useEffect, useRef, useState } from "react";
import { problemOf } from "#components/problem.ts";
import { useOnReconnect } from "#components/ui/connection.ts";
import type { SignerInput, SignerOutput } from "#lib/doors/sign-client.ts";
import type { Visit } from "./visit.ts";

export type Picture = SignerOutput<"picture">;
type Ask = Visit["ask"];

const loadedPictures = new Map<string, Picture>();
const pictureRequests = new Map<string, Promise<Picture>>();

function pictureOf(ask: Ask, key: string): Promise<Picture> {
  const before = pictureRequests.get(key);
  if (before) return before;
  const answer = ask("picture", JSON.parse(key) as SignerInput<"picture">);
  pictureRequests.set(key, answer);
  answer.then((picture) => loadedPictures.set(key, picture)).catch(() => pictureRequests.delete(key));
  return answer;
}

/** Returns a mark's picture: null until it is loaded, "failed" if it cannot be. */
export function usePicture(
  ask: Ask,
  mark: string | null,
  box?: { width: number; height: number },
): Picture | "failed" | null {
  const key = mark && JSON.stringify({ mark, ...(box ? { box } : {}) });
  const [answer, setAnswer] = useState<{ key: string; picture: Picture | "failed" } | null>(null);
  const load = useCallback(() => {
    let isWanted = true;
    if (key !== null) {
      pictureOf(ask, key)
        .catch(() => "failed" as const)
        .then((picture) => isWanted && setAnswer({ key, picture }));
    }
    return () => {
      isWanted = false;
    };
  }, [ask, key]);
  useEffect(load, [load]);
  useOnReconnect(load);
  if (key === null) return null;
  return loadedPictures.get(key) ?? (answer?.key === key ? answer.picture : null);
}

export interface Preview {
  /** The text's picture, or the previous text's until it is loaded; null if the text cannot be drawn. */
  picture: Picture | null;
  /** Why the text cannot be adopted; null if it can. */
  problem: string | null;
  /** Why the preview cannot be loaded; null if it can. */
  trouble: string | null;
  /** Whether `picture` and `problem` belong to the current text. */
  isCurrent: boolean;
}

const previewDelayMs = 150;

/** Returns the text as it will be stamped, which is requested when typing pauses. */
export function usePreview(ask: Ask, typed: string, as: SignerInput<"previewSignature">["as"]): Preview {
  const text = typed.trim();
  const [shown, setShown] = useState<{ text: string; picture: Picture; problem: string | null } | null>(null);
  const [trouble, setTrouble] = useState<string | null>(null);
  const hasAsked = useRef(false);
  const load = useCallback(() => {
    if (text === "") return;
    let isWanted = true;
    const look = async () => {
      hasAsked.current = true;
      try {
        const { outline, problem } = await ask("previewSignature", { text, as });
        if (!isWanted) return;
        setShown({ text, picture: { outline, png: null, text: null }, problem });
        setTrouble(null);
      } catch (error) {
        if (isWanted) setTrouble(troubleOf(error));
      }
    };
    const timer = setTimeout(look, hasAsked.current ? previewDelayMs : 0);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [ask, text, as]);
  useEffect(load, [load]);
  useOnReconnect(load);
  const isCurrent = shown?.text === text;
  return {
    picture: text === "" || shown?.problem ? null : (shown?.picture ?? null),
    problem: isCurrent ? shown.problem : null,
    trouble: text === "" || isCurrent ? null : trouble,
    isCurrent,
  };
}

function troubleOf(error: unknown): string {
  const { code, issues, message } = problemOf(error);
  if (code === "unreachable") return "No connection: your signature is shown once it is back.";
  return issues[0]?.message ?? message;
}
