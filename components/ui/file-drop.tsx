"use client";
/** A drop zone for one file, which is also a button that opens the file picker. */
import { clsx } from "clsx";
import { FileUp } from "lucide-react";
import { type DragEvent, type ReactNode, useEffect, useRef, useState } from "react";

export interface FileDropProps {
  /** The instruction: "Drop a PDF or DOCX here, or choose one". */
  label: string;
  hint?: ReactNode;
  /** The accept attribute of the file input. */
  accept: string;
  onFile(file: File): void;
  /** Called with the other files if several were dropped. */
  onOtherFiles?(files: File[]): void;
  disabled?: boolean;
  className?: string;
}

export function FileDrop({ label, hint, accept, onFile, onOtherFiles, disabled, className }: FileDropProps) {
  const [isOver, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const [file, ...more] = [...event.dataTransfer.files];
    if (!file || disabled) return;
    onFile(file);
    if (more.length > 0) onOtherFiles?.(more);
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
          // Otherwise, choosing the same file again would not trigger a change event.
          target.value = "";
        }}
      />
    </>
  );
}

const hasFiles = (event: globalThis.DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;

/** Receives dropped files. Folders are also among `files`, as files that cannot be read. */
export type FilesHandler = (files: File[], folders: FileSystemDirectoryEntry[]) => void;

/**
 * A handler of files dropped on the page. The one that was mounted last receives them; fallbacks come after
 * all others.
 */
interface DropTarget {
  take: FilesHandler | null;
  onOver(isOver: boolean): void;
}

const dropTargets: DropTarget[] = [];
let depth = 0;

const activeTarget = () => dropTargets.at(-1);

function notifyTargets(isOver: boolean): void {
  for (const each of dropTargets) each.onOver(isOver && each === activeTarget() && each.take !== null);
}

const listeners: Record<string, (event: globalThis.DragEvent) => void> = {
  dragenter: (event) => {
    if (!hasFiles(event)) return;
    depth++;
    notifyTargets(true);
  },
  dragleave: (event) => {
    if (!hasFiles(event)) return;
    depth = Math.max(0, depth - 1);
    if (depth === 0) notifyTargets(false);
  },
  // Otherwise, the browser would open the file instead of the page, and unsaved input would be lost.
  dragover: (event) => {
    if (!hasFiles(event) || event.defaultPrevented) return;
    event.preventDefault();
    if (event.dataTransfer && !activeTarget()?.take) event.dataTransfer.dropEffect = "none";
  },
  drop: (event) => {
    depth = 0;
    notifyTargets(false);
    if (!hasFiles(event) || event.defaultPrevented) return;
    event.preventDefault();
    const files = [...(event.dataTransfer?.files ?? [])];
    if (files.length > 0) activeTarget()?.take?.(files, foldersIn(event.dataTransfer));
  },
};

/** Returns the dropped folders. They can only be read during the event, not after it. */
function foldersIn(transfer: DataTransfer | null): FileSystemDirectoryEntry[] {
  const entries = [...(transfer?.items ?? [])].map((item) => item.webkitGetAsEntry());
  return entries.filter((entry): entry is FileSystemDirectoryEntry => entry?.isDirectory === true);
}

function add(each: DropTarget, isFallback: boolean): () => void {
  if (dropTargets.length === 0) {
    for (const [name, listener] of Object.entries(listeners))
      window.addEventListener(name, listener as EventListener);
  }
  if (isFallback) dropTargets.unshift(each);
  else dropTargets.push(each);
  return () => {
    dropTargets.splice(dropTargets.indexOf(each), 1);
    if (dropTargets.length > 0) return;
    for (const [name, listener] of Object.entries(listeners))
      window.removeEventListener(name, listener as EventListener);
  };
}

/**
 * Receives files that are dropped anywhere on the page; returns whether files are being dragged over it. If
 * `onFiles` is null, it takes nothing. A `fallback` only receives what no other handler takes, and keeps the
 * browser from opening dropped files even if `onFiles` is null.
 */
export function usePageDrop(
  onFiles: FilesHandler | null,
  { fallback = false }: { fallback?: boolean } = {},
): boolean {
  const [isOver, setOver] = useState(false);
  const self = useRef<DropTarget>({ take: null, onOver: setOver });
  self.current.take = onFiles;
  const isOn = onFiles !== null;
  useEffect(() => (isOn || fallback ? add(self.current, fallback) : undefined), [isOn, fallback]);
  return isOver;
}
