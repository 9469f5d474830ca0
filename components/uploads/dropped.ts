"use client";
/** Passes files dropped on one page to the next, in memory. They can be taken only once. */
import { useRouter } from "next/navigation";
import { useCallback } from "react";
import type { FilesHandler } from "#components/ui/file-drop.tsx";
import { useToast } from "#components/ui/toast.tsx";
import { counted } from "#components/words.ts";

let dropped: File | null = null;

function keepDropped(file: File): void {
  dropped = file;
}

export function takeDropped(): File | null {
  const file = dropped;
  dropped = null;
  return file;
}

type Dropped = Parameters<FilesHandler>;

let droppedTogether: Dropped | null = null;

/** Takes what was dropped together: several files, or folders. Null if there is nothing to take. */
export function takeDroppedTogether(): Dropped | null {
  const taken = droppedTogether;
  droppedTogether = null;
  return taken;
}

/** Returns a handler that creates contracts from dropped files: one opens the form, several open the list. */
export function useDropToCreate(): FilesHandler {
  const router = useRouter();
  return (files, folders) => {
    if (files.length === 1 && folders.length === 0) {
      keepDropped(files[0]!);
      router.push("/contracts/new");
    } else {
      droppedTogether = [files, folders];
      router.push("/contracts/upload");
    }
  };
}

/**
 * Returns a function that picks the first of several files where only one is accepted, and reports the
 * others.
 */
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
