"use client";
/** A signer's entries, which are saved as they are made, and what is still missing. Shared by all views. */
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { problemOf } from "#components/problem.ts";
import { readStored, writeStored } from "#components/tab-storage.ts";
import { useOnReconnect } from "#components/ui/connection.ts";
import { hasShortYear, shortYear } from "#components/ui/typed.ts";
import { useSaveBeforeReload } from "#components/ui/unsaved.ts";
import type { CeremonyState, OwnField } from "#lib/doors/sign-client.ts";
import { automaticTypes } from "#lib/signatures/lifecycle.ts";
import { type Errors, errorsByField, type Outcome, useFinishing } from "./finishing.ts";
import { inReadingOrder } from "./reading-order.ts";
import type { Visit } from "./visit.ts";

export type Entry = string | boolean | null;

export type Saving = "nothing" | "saving" | "saved" | "failed";

export interface Entries {
  /** In reading order: by page, from top to bottom. */
  fields: OwnField[];
  valueOf(field: OwnField): string | null;
  isFilled(field: OwnField): boolean;
  /** Returns what is wrong with a field, as the end of a sentence that begins with its name. */
  errorOf(field: OwnField): string | undefined;
  /** Enters a value. It is saved when typing pauses, or at once. */
  enter(field: OwnField, value: Entry, when?: "at-once"): void;
  /** Saves pending values. */
  keep(): Promise<unknown>;
  saving: Saving;
  /** Required fields that are not filled, in order. */
  missing: OwnField[];
  /** Signs. Returns the first field with a problem, or null. */
  finish(): Promise<OwnField | null>;
  isFinishing: boolean;
  /** Why saving or signing failed; null if it did not. */
  trouble: string | null;
}

const saveDelayMs = 500;
const againMs = 3000;

export function useEntries(state: CeremonyState, { act }: Pick<Visit, "act">): Entries {
  const fields = useMemo(() => inReadingOrder(state.fields), [state.fields]);
  const [days] = useState(
    () => new Set(state.fields.filter(({ type }) => type === "DATE").map(({ id }) => id)),
  );
  const memory = `signing ${state.signer.id}`;
  const [recalled] = useState(() => new Map(readStored<[string, Entry][]>(memory)));
  const [drafts, setDrafts] = useState<ReadonlyMap<string, Entry>>(recalled);
  const [errors, setErrors] = useState<Errors>(new Map());
  const latestErrors = useRef(errors);
  const [saving, setSaving] = useState<Saving>("nothing");
  const [trouble, setTrouble] = useState<string | null>(null);
  const waiting = useRef(new Map(recalled));
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const queue = useRef<Promise<unknown>>(Promise.resolve());

  const mark = useCallback((change: (before: Errors) => Map<string, string>) => {
    latestErrors.current = change(latestErrors.current);
    setErrors(latestErrors.current);
  }, []);

  const send = useCallback(async (): Promise<Outcome> => {
    const isShort = ([id, value]: [string, Entry]) => days.has(id) && hasShortYear(value);
    const short = [...waiting.current].filter(isShort);
    const batch = [...waiting.current].filter((entry) => !isShort(entry));
    waiting.current.clear();
    if (short.length > 0) {
      mark((before) => new Map([...before, ...short.map(([id]) => [id, shortYear] as const)]));
      setSaving("failed");
    }
    if (batch.length === 0) return short.length > 0 ? "refused" : "kept";
    setSaving("saving");
    try {
      await act("saveValues", { values: batch.map(([fieldId, value]) => ({ fieldId, value })) });
      setDrafts((before) => withoutSaved(before, batch));
      writeStored(memory, waiting.current.size === 0 ? null : [...waiting.current]);
      const kept = new Map(batch);
      mark((before) => new Map([...before].filter(([id]) => !kept.has(id))));
      setTrouble(null);
      // Values entered meanwhile are not saved yet.
      if (waiting.current.size === 0) setSaving(latestErrors.current.size === 0 ? "saved" : "failed");
      return "kept";
    } catch (error) {
      const { issues, message, code } = problemOf(error);
      const wrong = errorsByField(issues);
      // The server rejects a batch with one wrong value as a whole: save the others without it.
      for (const [id, value] of batch) {
        if (!wrong.has(id) && !waiting.current.has(id)) waiting.current.set(id, value);
      }
      mark((before) => new Map([...before, ...wrong]));
      setSaving("failed");
      if (batch.some(([id]) => wrong.has(id))) return send();
      // The bar reports a lost connection.
      setTrouble(code === "unreachable" ? null : message);
      if (code !== "unreachable") return "refused";
      timer.current = setTimeout(() => keepRef.current(), againMs);
      return "unreachable";
    }
  }, [act, days, mark, memory]);

  const keep = useCallback((): Promise<Outcome> => {
    clearTimeout(timer.current);
    const sent = queue.current.then(send);
    queue.current = sent;
    return sent;
  }, [send]);
  const keepRef = useRef(keep);
  useEffect(() => {
    keepRef.current = keep;
    const leave = () => void keep();
    document.addEventListener("visibilitychange", leave);
    return () => document.removeEventListener("visibilitychange", leave);
  }, [keep]);
  useEffect(() => {
    if (waiting.current.size > 0) void keepRef.current();
  }, []);
  useOnReconnect(() => void keep());
  useSaveBeforeReload(async () => {
    await keep();
    return waiting.current.size === 0;
  });

  const enter: Entries["enter"] = (field, value, when) => {
    waiting.current.set(field.id, value);
    writeStored(memory, [...waiting.current]);
    // "Saved" is no longer true.
    setSaving("saving");
    setDrafts((before) => new Map(before).set(field.id, value));
    mark((before) => new Map([...before].filter(([id]) => id !== field.id)));
    clearTimeout(timer.current);
    if (when === "at-once") void keep();
    else timer.current = setTimeout(() => void keep(), saveDelayMs);
  };

  const isFilled = (field: OwnField): boolean => {
    if (automaticTypes.has(field.type)) return true;
    if (errors.has(field.id)) return false;
    if (!drafts.has(field.id)) return field.filled;
    const draft = drafts.get(field.id);
    return draft !== null && draft !== "" && draft !== false;
  };

  const { finish, isFinishing } = useFinishing({
    ...{ fields, act, keep, mark, setTrouble },
    unsaved: () => fields.find(({ id }) => latestErrors.current.has(id) || waiting.current.has(id)),
  });

  return {
    fields,
    valueOf: (field) => {
      const draft = drafts.get(field.id);
      return draft === undefined ? field.value : draft === null ? null : String(draft);
    },
    isFilled,
    errorOf: (field) => errors.get(field.id),
    enter,
    keep,
    saving,
    missing: fields.filter((field) => field.required && !isFilled(field)),
    finish,
    isFinishing,
    trouble,
  };
}

/** Removes the drafts of saved values, unless they were changed meanwhile. */
function withoutSaved(
  drafts: ReadonlyMap<string, Entry>,
  kept: [string, Entry][],
): ReadonlyMap<string, Entry> {
  const rest = new Map(drafts);
  for (const [id, value] of kept) if (rest.get(id) === value) rest.delete(id);
  return rest;
}
