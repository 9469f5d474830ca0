"use client";
import { clsx } from "clsx";
import type { ComponentProps, ReactNode } from "react";
import { useCallback, useEffect, useRef } from "react";

const box =
  "mt-0.5 size-4 shrink-0 cursor-pointer appearance-none border border-edge bg-paper transition-colors " +
  "checked:border-accent checked:bg-accent disabled:cursor-not-allowed disabled:opacity-50";

interface ChoiceProps extends Omit<ComponentProps<"input">, "type" | "children"> {
  label: ReactNode;
  labelHidden?: boolean;
  hint?: ReactNode;
}

interface CheckboxProps extends ChoiceProps {
  /** Whether some, but not all, of the items that it stands for are selected. */
  indeterminate?: boolean;
}

export function Checkbox({
  label,
  labelHidden,
  hint,
  indeterminate = false,
  className,
  ref,
  ...rest
}: CheckboxProps) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (input.current) input.current.indeterminate = indeterminate;
  }, [indeterminate]);
  // React Hook Form reads the checkbox through the ref that it passes, so set both refs.
  const setInput = useCallback(
    (element: HTMLInputElement | null) => {
      input.current = element;
      if (typeof ref === "function") return ref(element);
      if (ref) ref.current = element;
    },
    [ref],
  );
  return (
    <label className={clsx("flex items-start gap-2", rest.disabled && "text-faint", className)}>
      <span className="relative flex">
        <input
          {...rest}
          ref={setInput}
          type="checkbox"
          className={clsx(box, "peer rounded-sm indeterminate:border-accent indeterminate:bg-accent")}
        />
        <svg
          aria-hidden="true"
          viewBox="0 0 16 16"
          className="pointer-events-none absolute mt-0.5 size-4 fill-none stroke-2 stroke-on-accent opacity-0 peer-checked:opacity-100 peer-indeterminate:opacity-0"
        >
          <path d="m3.5 8.5 3 3 6-7" />
        </svg>
        <svg
          aria-hidden="true"
          viewBox="0 0 16 16"
          className="pointer-events-none absolute mt-0.5 size-4 stroke-2 stroke-on-accent opacity-0 peer-indeterminate:opacity-100"
        >
          <path d="M4 8h8" />
        </svg>
      </span>
      <Words label={label} labelHidden={labelHidden} hint={hint} />
    </label>
  );
}

export function Radio({ label, labelHidden, hint, className, ...rest }: ChoiceProps) {
  return (
    <label className={clsx("flex items-start gap-2", className)}>
      <input
        {...rest}
        type="radio"
        className={clsx(box, "rounded-full checked:shadow-[inset_0_0_0_3px_var(--paper)]")}
      />
      <Words label={label} labelHidden={labelHidden} hint={hint} />
    </label>
  );
}

/** A switch that takes effect immediately. In a form that is submitted, use a Checkbox instead. */
export function Switch({ label, labelHidden, hint, className, ...rest }: ChoiceProps) {
  return (
    <label className={clsx("flex items-start gap-2.5", className)}>
      <input
        {...rest}
        type="checkbox"
        role="switch"
        aria-checked={rest.checked}
        className={clsx(
          "relative h-5 w-8 shrink-0 cursor-pointer appearance-none rounded-full bg-edge transition-colors checked:bg-accent",
          "before:absolute before:top-0.5 before:left-0.5 before:size-4 before:rounded-full before:bg-paper before:shadow-low",
          "before:transition-transform checked:before:translate-x-3 disabled:cursor-not-allowed disabled:opacity-50",
        )}
      />
      <Words label={label} labelHidden={labelHidden} hint={hint} />
    </label>
  );
}

function Words({ label, labelHidden, hint }: Pick<ChoiceProps, "label" | "labelHidden" | "hint">) {
  return (
    <span className={clsx(labelHidden && "sr-only")}>
      {label}
      {hint && <span className="block text-quiet text-xs">{hint}</span>}
    </span>
  );
}
