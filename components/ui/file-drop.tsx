"use client";
/** A place for a file: dropped on it, or chosen with the button that it is. */
import { clsx } from "clsx";
import { FileUp } from "lucide-react";
import { type DragEvent, type ReactNode, useEffect, useRef, useState } from "react";

export interface FileDropProps {
  /** What to do, as a verb: "Drop a PDF or DOCX here, or choose one". */
  label: string;
  hint?: ReactNode;
  /** As in an input's accept. */
  accept: string;
  onFile(file: File): void;
  /** What else was dropped with it. */
  onMore?(files: File[]): void;
  disabled?: boolean;
  className?: string;
}

export function FileDrop({ label, hint, accept, onFile, onMore, disabled, className }: FileDropProps) {
  const [isOver, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const [file, ...more] = [...event.dataTransfer.files];
    if (!file || disabled) return;
    onFile(file);
    if (more.length > 0) onMore?.(more);
  };
  return (
    <>
      <button
        type="button"
        disabled={disabled}
        onClick={() => input.current?.click()}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={onDrop}
        className={clsx(
          "flex w-full items-center justify-center gap-3 rounded-lg border border-edge border-dashed px-4 py-5 text-left transition-colors",
          isOver ? "border-accent bg-accent-soft" : "bg-paper hover:bg-well disabled:opacity-50",
          className,
        )}
      >
        <FileUp aria-hidden className="size-5 shrink-0 text-accent" strokeWidth={1.75} />
        <span>
          <span className="font-medium">{label}</span>
          {hint && <span className="block text-quiet text-xs">{hint}</span>}
        </span>
      </button>
      <input
        ref={input}
        type="file"
        accept={accept}
        aria-label={label}
        tabIndex={-1}
        className="sr-only"
        disabled={disabled}
        onChange={({ target }) => {
          const file = target.files?.[0];
          if (file) onFile(file);
          // The same file again is a choice too.
          target.value = "";
        }}
      />
    </>
  );
}

const hasFiles = (event: globalThis.DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;

/** Folders stand among `files` too, as files that cannot be read. */
export type TakesFiles = (files: File[], folders: FileSystemDirectoryEntry[]) => void;

/** Who takes what is dropped on the page: the last one who came, and before all others whoever is no fallback. */
interface Taker {
  take: TakesFiles | null;
  onOver(isOver: boolean): void;
}

const takers: Taker[] = [];
let depth = 0;

const taker = () => takers.at(-1);

function over(isOver: boolean): void {
  for (const each of takers) each.onOver(isOver && each === taker() && each.take !== null);
}

const listeners: Record<string, (event: globalThis.DragEvent) => void> = {
  dragenter: (event) => {
    if (!hasFiles(event)) return;
    depth++;
    over(true);
  },
  dragleave: (event) => {
    if (!hasFiles(event)) return;
    depth = Math.max(0, depth - 1);
    if (depth === 0) over(false);
  },
  // Without this, the browser would open the file in place of the page, and with it what was typed there.
  dragover: (event) => {
    if (!hasFiles(event) || event.defaultPrevented) return;
    event.preventDefault();
    if (event.dataTransfer && !taker()?.take) event.dataTransfer.dropEffect = "none";
  },
  drop: (event) => {
    depth = 0;
    over(false);
    if (!hasFiles(event) || event.defaultPrevented) return;
    event.preventDefault();
    const files = [...(event.dataTransfer?.files ?? [])];
    if (files.length > 0) taker()?.take?.(files, foldersIn(event.dataTransfer));
  },
};

/** The browser tells of folders in the event itself, and not after it. */
function foldersIn(transfer: DataTransfer | null): FileSystemDirectoryEntry[] {
  const entries = [...(transfer?.items ?? [])].map((item) => item.webkitGetAsEntry());
  return entries.filter((entry): entry is FileSystemDirectoryEntry => entry?.isDirectory === true);
}

function add(each: Taker, isFallback: boolean): () => void {
  if (takers.length === 0) {
    for (const [name, listener] of Object.entries(listeners))
      window.addEventListener(name, listener as EventListener);
  }
  if (isFallback) takers.unshift(each);
  else takers.push(each);
  return () => {
    takers.splice(takers.indexOf(each), 1);
    if (takers.length > 0) return;
    for (const [name, listener] of Object.entries(listeners))
      window.removeEventListener(name, listener as EventListener);
  };
}

/**
 * Takes files that are dropped anywhere on the page; true while some hover over it. Where `onFiles` is null nothing
 * is taken, and nothing is lost. A `fallback` takes what no other part of the page does.
 */
export function usePageDrop(
  onFiles: TakesFiles | null,
  { fallback = false }: { fallback?: boolean } = {},
): boolean {
  const [isOver, setOver] = useState(false);
  const self = useRef<Taker>({ take: null, onOver: setOver });
  self.current.take = onFiles;
  const isOn = onFiles !== null;
  useEffect(() => (isOn || fallback ? add(self.current, fallback) : undefined), [isOn, fallback]);
  return isOver;
}
