"use client";
/** A file that was dropped on one page and is taken up by the next. It is kept in memory, once. */
import { useCallback } from "react";
import { useToast } from "#components/ui/toast.tsx";
import { counted } from "#components/words.ts";

let dropped: File | null = null;

export function keepDropped(file: File): void {
  dropped = file;
}

export function takeDropped(): File | null {
  const file = dropped;
  dropped = null;
  return file;
}

/** Where one file is taken at a time: the first of those that were dropped together, and a word on the others. */
export function useOnlyFirst(): (files: File[]) => File {
  const toast = useToast();
  return useCallback(
    ([first, ...rest]: File[]) => {
      if (rest.length > 0) {
        toast({
          tone: "failed",
          title: "One file at a time",
          detail: `${first!.name} was added; ${counted(rest.length, "other file")} ${rest.length === 1 ? "was" : "were"} not. Drop each on its own.`,
        });
      }
      return first!;
    },
    [toast],
  );
}
