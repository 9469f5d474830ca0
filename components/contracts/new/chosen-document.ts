"use client";
/** The document of a new contract: chosen in the form, or dropped on this page or the previous one. */
import { useEffect, useRef, useState } from "react";
import { documents, whyRejected } from "#components/accepted-files.ts";
import { usePageDrop } from "#components/ui/file-drop.tsx";
import { takeDropped, useOnlyFirst } from "#components/uploads/dropped.ts";

interface ChosenDocumentOptions {
  /** Called before another file, or none, is selected. */
  onChoosing(): void;
  /** Called with a file that is suitable as a document, or with null once the file is removed. */
  onChosen(file: File | null): void;
}

export function useChosenDocument({ onChoosing, onChosen }: ChosenDocumentOptions) {
  const [file, setFile] = useState<File | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const choosing = useRef(Promise.resolve<File | null>(null));
  const wasDropped = useRef(false);
  const replace = async (next: File | null, before: Promise<File | null>) => {
    onChoosing();
    const why = next && (await whyRejected(next, documents));
    setProblem(why && next ? `${next.name} was not added. ${why}` : null);
    if (why) return before;
    setFile(next);
    onChosen(next);
    return next;
  };
  const choose = (next: File | null) => {
    choosing.current = replace(next, choosing.current);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: takes the previous page's file, once.
  useEffect(() => {
    const dropped = takeDropped();
    wasDropped.current = dropped !== null;
    if (dropped) choose(dropped);
  }, []);
  const onlyFirst = useOnlyFirst();
  const isOver = usePageDrop((files) => choose(onlyFirst(files)));
  return {
    file,
    /** Why the last chosen file was not accepted. */
    problem,
    /** Whether a file is being dragged over the page. */
    isOver,
    choose,
    /** Reports that only the first of several files is used. */
    refuseMore: (rest: File[]) => void onlyFirst([file ?? rest[0]!, ...rest]),
    /** Resolves to the file once the last choice has been checked. */
    settled: () => choosing.current,
    wasDropped: () => wasDropped.current,
  };
}

export type ChosenDocument = ReturnType<typeof useChosenDocument>;
