"use client";
/** A draft is kept on the server as it is made: what changed is sent once the hands rest, one save after the other. */
import { useCallback, useEffect, useRef, useState } from "react";
import { problemOf } from "#components/problem.ts";
import type { ApiProblem, InputOf } from "#lib/api/client.ts";
import { useRequestAct, type Watched } from "../acts.ts";

type Patch = Omit<InputOf<"signatures.updateDraft">, "envelopeId">;

/** A part of the draft: what it is now, and what is to be learnt of it once it is saved. */
export interface Part {
  /** Undefined: it cannot be saved as it stands. */
  patch(): Patch | undefined;
  saved?(envelope: Watched): void;
}

export type SavingState =
  | { kind: "saved" }
  | { kind: "waiting" }
  | { kind: "saving" }
  | { kind: "failed"; problem: ApiProblem };

export interface Saving {
  state: SavingState;
  /** Tells that a part has changed. */
  changed(name: string, part: Part): void;
  /** Saves what is not saved yet; false where that was refused, or is not possible. */
  flush(): Promise<boolean>;
}

const restMs = 700;

export function useSaving(envelopeId: string): Saving {
  const act = useRequestAct("signatures.updateDraft", { tellsRefusals: false });
  const [state, setState] = useState<SavingState>({ kind: "saved" });
  const parts = useRef(new Map<string, Part>());
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const running = useRef<Promise<boolean>>(Promise.resolve(true));
  const run = useRef(act.run);
  useEffect(() => {
    run.current = act.run;
  });

  const saveAll = useCallback(async (): Promise<boolean> => {
    for (const [name, part] of [...parts.current]) {
      const patch = part.patch();
      if (!patch) return false;
      parts.current.delete(name);
      setState({ kind: "saving" });
      try {
        const { envelope } = await run.current({ envelopeId, ...patch });
        part.saved?.(envelope);
      } catch (error) {
        if (!parts.current.has(name)) parts.current.set(name, part);
        setState({ kind: "failed", problem: problemOf(error) });
        return false;
      }
    }
    setState(parts.current.size === 0 ? { kind: "saved" } : { kind: "waiting" });
    return true;
  }, [envelopeId]);

  const flush = useCallback((): Promise<boolean> => {
    clearTimeout(timer.current);
    running.current = running.current.then(saveAll);
    return running.current;
  }, [saveAll]);

  const changed = useCallback(
    (name: string, part: Part) => {
      parts.current.set(name, part);
      setState((before) => (before.kind === "saving" ? before : { kind: "waiting" }));
      clearTimeout(timer.current);
      timer.current = setTimeout(() => void flush(), restMs);
    },
    [flush],
  );

  useEffect(() => {
    const onLeave = (event: BeforeUnloadEvent) => {
      if (parts.current.size > 0) event.preventDefault();
    };
    window.addEventListener("beforeunload", onLeave);
    return () => {
      window.removeEventListener("beforeunload", onLeave);
      // Whoever goes to another page of ours has changed their mind about nothing.
      if (parts.current.size > 0) void flush();
    };
  }, [flush]);

  return { state, changed, flush };
}
