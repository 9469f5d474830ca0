"use client";
/** Saves a draft as it is edited: changes are sent when typing pauses, one save after the other. */
import { type RefObject, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { Act } from "#components/operation.ts";
import { problemOf } from "#components/problem.ts";
import { useSession } from "#components/session.tsx";
import { readStored, writeStored } from "#components/tab-storage.ts";
import { useOnReconnect, whenReachable } from "#components/ui/connection.ts";
import { useToast } from "#components/ui/toast.tsx";
import { useSaveBeforeReload } from "#components/ui/unsaved.ts";
import type { ApiProblem, InputOf } from "#lib/doors/client.ts";
import { type Envelope, useRequestAction } from "./request-actions.ts";

type Patch = Omit<InputOf<"signatures.updateDraft">, "envelopeId" | "updatedAt">;

export type PartName = "document" | "signers" | "mail" | "fields";

/** A part of the draft: its current value, and what to do once it is saved. */
export interface Part {
  /** Returns the changes to save, or undefined if the part cannot be saved as it stands. */
  patch(): Patch | undefined;
  /** Returns the form's content, which restores the form if it is reopened before the part is saved. */
  entered?(): unknown;
  onSaved?(envelope: Envelope): void;
}

export type SavingState =
  | { kind: "saved" }
  | { kind: "waiting" }
  | { kind: "saving" }
  /** The user wanted to continue, but a part cannot be saved as it stands. */
  | { kind: "incomplete" }
  | { kind: "failed"; problem: ApiProblem };

export interface Saving {
  state: SavingState;
  /** Whether entries from before a reload are still being saved: what is shown does not include them yet. */
  isRestoring: boolean;
  /** The parts in which something is missing, once the user wanted to continue. */
  missing: readonly PartName[];
  /** Reports that a part has changed. */
  changed(name: PartName, part: Part): void;
  /** Returns what was entered in a part and is not saved yet. */
  enteredIn<T>(name: PartName): T | undefined;
  /** Returns the parts that are not saved yet, even if they should have been. */
  unsaved(): PartName[];
  /** Sets the draft that is shown from now on. Changes that others made to it later are not overwritten. */
  follow(envelope: Envelope): void;
  /** Discards unsaved changes. */
  discard(): void;
  /** Saves unsaved changes; returns false if that was refused, or is not possible. */
  flush(): Promise<boolean>;
}

const restMs = 700;

/** The states that last until the next save has finished. */
const stays: readonly SavingState["kind"][] = ["saving", "incomplete"];

export function useSaving({ id: envelopeId, updatedAt }: Envelope): Saving {
  const act = useRequestAction("signatures.updateDraft", { showsErrors: false });
  const [state, setState] = useState<SavingState>({ kind: "saved" });
  const [missing, setMissing] = useState<readonly PartName[]>([]);
  const shownMissing = useRef(missing);
  /** When the shown draft was last changed, as far as this page knows. */
  const shownUpdatedAt = useRef(updatedAt);
  const unsaved = useUnsaved(envelopeId, shownUpdatedAt);
  const isRestoring = useRestoring(envelopeId, unsaved, shownUpdatedAt, act.run);
  const parts = useRef(new Map<PartName, Part>());
  const inFlight = useRef<[PartName, Part]>(undefined);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const running = useRef<Promise<boolean>>(Promise.resolve(true));
  const run = useRef(act.run);
  useEffect(() => {
    run.current = act.run;
  });

  const saveAll = useCallback(
    async (asked: boolean): Promise<boolean> => {
      const all = [...parts.current];
      const incomplete = all.filter(([, part]) => !part.patch()).map(([name]) => name);
      let refused: ApiProblem | null = null;
      for (const [name, part] of all) {
        const patch = part.patch();
        if (!patch) continue;
        parts.current.delete(name);
        inFlight.current = [name, part];
        setState({ kind: "saving" });
        try {
          const { envelope } = await run.current({ envelopeId, updatedAt: shownUpdatedAt.current, ...patch });
          shownUpdatedAt.current = envelope.updatedAt;
          if (!parts.current.has(name)) unsaved.forget(name);
          part.onSaved?.(envelope);
        } catch (error) {
          if (!parts.current.has(name)) parts.current.set(name, part);
          refused ??= problemOf(error);
          // A problem in one part does not prevent the others from being saved.
          if (problemOf(error).issues.length === 0) break;
        } finally {
          inFlight.current = undefined;
        }
      }
      // While someone types, an incomplete part is not an error.
      const reported = incomplete.filter((name) => asked || shownMissing.current.includes(name));
      shownMissing.current = reported;
      setMissing(reported);
      if (refused) setState({ kind: "failed", problem: refused });
      else if (reported.length > 0) setState({ kind: "incomplete" });
      else setState(parts.current.size === 0 ? { kind: "saved" } : { kind: "waiting" });
      return !refused && incomplete.length === 0;
    },
    [envelopeId, unsaved],
  );

  const save = useCallback(
    (asked: boolean): Promise<boolean> => {
      clearTimeout(timer.current);
      running.current = running.current.then(() => saveAll(asked));
      return running.current;
    },
    [saveAll],
  );
  const flush = useCallback(() => save(true), [save]);

  const changed = useCallback(
    (name: PartName, part: Part) => {
      parts.current.set(name, part);
      unsaved.note(name, part.patch());
      setState((before) => (stays.includes(before.kind) ? before : { kind: "waiting" }));
      clearTimeout(timer.current);
      timer.current = setTimeout(() => void save(false), restMs);
    },
    [save, unsaved],
  );
  useOnReconnect(() => {
    if (parts.current.size > 0) void save(false);
  });
  useSaveBeforeReload(flush);

  useEffect(() => {
    const onLeave = (event: BeforeUnloadEvent) => {
      if (parts.current.size > 0) event.preventDefault();
    };
    window.addEventListener("beforeunload", onLeave);
    return () => {
      window.removeEventListener("beforeunload", onLeave);
      // Navigating to another page of the app discards nothing.
      if (parts.current.size > 0) void save(false);
    };
  }, [save]);

  const enteredIn = useCallback(<T>(name: PartName) => {
    const [sent, part] = inFlight.current ?? [];
    const latest = parts.current.get(name) ?? (sent === name ? part : undefined);
    return latest?.entered?.() as T | undefined;
  }, []);
  const unsavedParts = useCallback(() => [...parts.current.keys()], []);

  const follow = useCallback((envelope: Envelope) => {
    // Unsaved changes were made to the draft as it was shown before.
    if (parts.current.size === 0 && !inFlight.current) shownUpdatedAt.current = envelope.updatedAt;
  }, []);
  const discard = useCallback(() => {
    clearTimeout(timer.current);
    parts.current.clear();
    unsaved.clear();
  }, [unsaved]);

  return { state, isRestoring, missing, changed, enteredIn, unsaved: unsavedParts, follow, discard, flush };
}

interface Unsaved {
  all(): StoredChanges;
  note(name: string, patch: Patch | undefined): void;
  forget(name: string): void;
  clear(): void;
}

interface StoredChanges {
  /** When the draft to which the changes were made was last changed. */
  updatedAt: string;
  patches: [name: string, patch: Patch][];
}

/** Stores unsaved changes across a reload, for the same person in the same tab. */
function useUnsaved(envelopeId: string, shown: RefObject<string>): Unsaved {
  const { user } = useSession();
  const key = `draft ${envelopeId} ${user.id}`;
  return useMemo(() => {
    const all = (): StoredChanges => {
      const { updatedAt = shown.current, patches = [] } = readStored<Partial<StoredChanges>>(key) ?? {};
      return { updatedAt, patches };
    };
    const others = (name: string) => all().patches.filter(([known]) => known !== name);
    const write = (patches: StoredChanges["patches"]) =>
      writeStored(key, patches.length === 0 ? null : { updatedAt: shown.current, patches });
    const forget = (name: string) => write(others(name));
    return {
      all,
      forget,
      note: (name, patch) => (patch ? write([...others(name), [name, patch]]) : forget(name)),
      clear: () => write([]),
    };
  }, [key, shown]);
}

/** Saves changes that a reload interrupted, before anything else can be entered. */
function useRestoring(
  envelopeId: string,
  unsaved: Unsaved,
  shown: RefObject<string>,
  update: Act<"signatures.updateDraft">["run"],
): boolean {
  const toast = useToast();
  const [isRestoring, setRestoring] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the draft is opened.
  useLayoutEffect(() => {
    const found = unsaved.all();
    if (found.patches.length === 0) return;
    setRestoring(true);
    const restore = async () => {
      let { updatedAt } = found;
      for (const [name, patch] of found.patches) {
        try {
          const { envelope } = await saveWithRetry({ envelopeId, updatedAt, ...patch }, update);
          updatedAt = envelope.updatedAt;
          shown.current = updatedAt;
        } catch (error) {
          toast({
            tone: "failed",
            title: "What you entered last could not be saved",
            detail: problemOf(error).message,
          });
        }
        unsaved.forget(name);
      }
      setRestoring(false);
    };
    void restore();
  }, []);
  return isRestoring;
}

/** Retries until the server has responded. */
async function saveWithRetry<Input, Output>(
  input: Input,
  update: (input: Input) => Promise<Output>,
): Promise<Output> {
  for (;;) {
    try {
      return await update(input);
    } catch (error) {
      if (problemOf(error).code !== "unreachable") throw error;
      await new Promise((resolve) => setTimeout(resolve, restMs));
      await whenReachable();
    }
  }
}
