"use client";
/** Values that are edited in place. */
import { clsx } from "clsx";
import { Pencil } from "lucide-react";
import { type KeyboardEvent, useRef, useState } from "react";
import { isOfComposition } from "./composition.ts";
import { controlClass } from "./control.ts";

/** The classes of a control that looks like text until it is hovered. */
export const inlineClass =
  "-mx-2 !w-[calc(100%+1rem)] !border-transparent !bg-transparent !px-2 !shadow-none hover:!border-edge disabled:!text-ink";

/** The classes of a select that looks like text until it is hovered. */
export const inlineBoxClass =
  "-mx-2 [&_select]:!border-transparent [&_select]:!bg-transparent [&_select]:!px-2 [&_select]:!shadow-none [&_select]:hover:!border-edge [&>svg]:opacity-0 hover:[&>svg]:opacity-100";

export interface InlineTextProps {
  /** The name of the value, such as "title". */
  label: string;
  value: string;
  /** Saves the new value. If it rejects, the old value is shown again. */
  onSave(value: string): Promise<unknown>;
  className?: string;
  disabled?: boolean;
}

export function InlineText({ label, value, onSave, className, disabled }: InlineTextProps) {
  const [draft, setDraft] = useState<string | null>(null);
  const button = useRef<HTMLButtonElement>(null);
  const close = () => {
    setDraft(null);
    requestAnimationFrame(() => button.current?.focus());
  };
  const save = async () => {
    const wanted = draft?.trim();
    setDraft(null);
    if (wanted && wanted !== value) await onSave(wanted).catch(() => undefined);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (isOfComposition(event)) return;
    if (event.key === "Escape") close();
    if (event.key === "Enter") {
      event.preventDefault();
      void save();
      requestAnimationFrame(() => button.current?.focus());
    }
  };
  if (disabled) return <span className={className}>{value}</span>;
  if (draft !== null) {
    return (
      <input
        // biome-ignore lint/a11y/noAutofocus: whoever asked to edit wants to type.
        autoFocus
        aria-label={label}
        value={draft}
        maxLength={200}
        onChange={(event) => setDraft(event.target.value)}
        onBlur={() => void save()}
        onKeyDown={onKeyDown}
        className={clsx(controlClass, "-mx-2 !px-2 !text-[length:inherit] !font-[inherit]", className)}
      />
    );
  }
  return (
    <button
      ref={button}
      type="button"
      onClick={() => setDraft(value)}
      aria-label={`${label}: ${value}. Edit`}
      className={clsx(
        "group -mx-2 inline-flex min-w-0 items-center gap-2 rounded-md px-2 text-left hover:bg-hover",
        className,
      )}
    >
      <span className="min-w-0">{value}</span>
      <Pencil
        aria-hidden
        className="size-3.5 shrink-0 text-faint opacity-0 group-hover:opacity-100 group-focus-visible:opacity-100"
      />
    </button>
  );
}
