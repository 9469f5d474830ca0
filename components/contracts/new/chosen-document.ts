"use client";
/** The document that a new contract begins with: chosen in its form, or dropped on its page or on the one before. */
import { useEffect, useRef, useState } from "react";
import { documents, unfit } from "#components/accepted-files.ts";
import { usePageDrop } from "#components/ui/file-drop.tsx";
import { takeDropped, useOnlyFirst } from "#components/uploads/dropped.ts";

interface ChosenDocumentOptions {
  /** Another file is about to be chosen, or none. */
  onChoosing(): void;
  /** The file can be a document. Null: there is none any more. */
  onChosen(file: File | null): void;
}

export function useChosenDocument({ onChoosing, onChosen }: ChosenDocumentOptions) {
  const [file, setFile] = useState<File | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const choosing = useRef(Promise.resolve<File | null>(null));
  const wasDropped = useRef(false);
  const replace = async (next: File | null, before: Promise<File | null>) => {
    onChoosing();
    const why = next && (await unfit(next, documents));
    setProblem(why && next ? `${next.name} was not added. ${why}` : null);
    if (why) return before;
    setFile(next);
    onChosen(next);
    return next;
  };
  const choose = (next: File | null) => {
    choosing.current = replace(next, choosing.current);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was dropped on the page before, once.
  useEffect(() => {
    const dropped = takeDropped();
    wasDropped.current = dropped !== null;
    if (dropped) choose(dropped);
  }, []);
  const onlyFirst = useOnlyFirst();
  const isOver = usePageDrop((files) => choose(onlyFirst(files)));
  return {
    file,
    /** Why the file that was chosen last was not taken. */
    problem,
    /** A file is held over the page. */
    isOver,
    choose,
    /** Says of more files than one that the first alone is taken. */
    refuseMore: (rest: File[]) => void onlyFirst([file ?? rest[0]!, ...rest]),
    /** The file, once what was chosen last has been looked at. */
    settled: () => choosing.current,
    wasDropped: () => wasDropped.current,
  };
}

export type ChosenDocument = ReturnType<typeof useChosenDocument>;
