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
  disabled?: boolean;
  className?: string;
}

export function FileDrop({ label, hint, accept, onFile, disabled, className }: FileDropProps) {
  const [isOver, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const file = event.dataTransfer.files[0];
    if (file && !disabled) onFile(file);
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

/** Takes a file that is dropped anywhere on the page; true while one hovers over it. */
export function usePageDrop(onFile: ((file: File) => void) | null): boolean {
  const [isOver, setOver] = useState(false);
  const take = useRef(onFile);
  take.current = onFile;
  const isOn = onFile !== null;
  useEffect(() => {
    if (!isOn) return;
    let depth = 0;
    const onEnter = (event: globalThis.DragEvent) => {
      if (!hasFiles(event)) return;
      depth++;
      setOver(true);
    };
    const onLeave = (event: globalThis.DragEvent) => {
      if (!hasFiles(event)) return;
      depth--;
      if (depth <= 0) setOver(false);
    };
    // Without this, the browser would open the file in place of the page.
    const onOver = (event: globalThis.DragEvent) => hasFiles(event) && event.preventDefault();
    const onDrop = (event: globalThis.DragEvent) => {
      depth = 0;
      setOver(false);
      const file = event.dataTransfer?.files[0];
      if (event.defaultPrevented || !file) return;
      event.preventDefault();
      take.current?.(file);
    };
    const all = { dragenter: onEnter, dragleave: onLeave, dragover: onOver, drop: onDrop };
    for (const [name, listener] of Object.entries(all)) window.addEventListener(name, listener as never);
    return () => {
      for (const [name, listener] of Object.entries(all)) window.removeEventListener(name, listener as never);
    };
  }, [isOn]);
  return isOver;
}
