"use client";
/** Signs: saves what is pending, then sends the signature, exactly once even if the connection is lost. */
import { useRef, useState } from "react";
import { problemOf } from "#components/problem.ts";
import { whenReachable } from "#components/ui/connection.ts";
import type { OwnField } from "#lib/doors/sign-client.ts";
import type { Visit } from "./visit.ts";

/** What is wrong with fields, by their ids. */
export type Errors = ReadonlyMap<string, string>;

/** The result of saving. If it is `refused`, the reason is shown at the fields or as `trouble`. */
export type Outcome = "kept" | "unreachable" | "refused";

interface FinishingOptions extends Pick<Visit, "act"> {
  fields: OwnField[];
  keep(): Promise<Outcome>;
  /** Returns a field that has an error or could not be saved. */
  unsaved(): OwnField | undefined;
  mark(change: (before: Errors) => Map<string, string>): void;
  setTrouble(trouble: string): void;
}

const pauseMs = 500;

export function useFinishing({ fields, act, keep, unsaved, mark, setTrouble }: FinishingOptions) {
  const [isFinishing, setFinishing] = useState(false);
  const finishes = useRef(false);

  /** Sends the signature. Pressing the button signs, so without a connection it is sent once there is one. */
  const signAsSoonAsReachable = async (): Promise<void> => {
    for (;;) {
      try {
        return await act("finish", {});
      } catch (error) {
        if (problemOf(error).code !== "unreachable") throw error;
        await waitUntilReachable();
      }
    }
  };

  const finish = async (): Promise<OwnField | null> => {
    // A ref, because React state would change too late for the second of two clicks.
    if (finishes.current) return null;
    finishes.current = true;
    setFinishing(true);
    try {
      while ((await keep()) === "unreachable") await waitUntilReachable();
      const field = unsaved();
      if (field) return field;
      await signAsSoonAsReachable();
      return null;
    } catch (error) {
      const { issues, message } = problemOf(error);
      const wrong = errorsByField(issues);
      mark((before) => new Map([...before, ...wrong]));
      if (wrong.size === 0) setTrouble(message);
      return fields.find(({ id }) => wrong.has(id)) ?? null;
    } finally {
      finishes.current = false;
      setFinishing(false);
    }
  };

  return { finish, isFinishing };
}

/** Waits until the server is reachable, with a pause so that a failing server is not called in a tight loop. */
async function waitUntilReachable(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, pauseMs));
  await whenReachable();
}

export const errorsByField = (issues: readonly { path: string; message: string }[]) =>
  new Map(issues.map(({ path, message }) => [path.replace("values.", ""), message]));
