"use client";
import { clsx } from "clsx";
import { CircleAlert } from "lucide-react";
import { createContext, type ReactNode, useContext, useId } from "react";

interface Wiring {
  id: string;
  describedBy: string | undefined;
  invalid: boolean;
  required: boolean;
}

const FieldContext = createContext<Wiring | null>(null);

const SentContext = createContext(false);

/**
 * Makes a form's fields read-only while the form is being submitted, since later input would not be included.
 */
export function Fields({ isSubmitting, children }: { isSubmitting: boolean; children: ReactNode }) {
  return <SentContext value={isSubmitting}>{children}</SentContext>;
}

/** Whether the form around a control is being submitted. */
export const useIsSubmitting = () => useContext(SentContext);

/** Returns the attributes that link a control inside a Field to its label, hint and error. */
export function useFieldWiring(own: { id?: string; "aria-describedby"?: string } = {}) {
  const field = useContext(FieldContext);
  if (!field) return own;
  return {
    id: own.id ?? field.id,
    "aria-describedby": own["aria-describedby"] ?? field.describedBy,
    "aria-invalid": field.invalid || undefined,
    "aria-required": field.required || undefined,
  };
}

/**
 * Returns the ids of the Field around a control and of its label, for controls named by both label and
 * content. Null outside of a Field.
 */
export function useFieldLabel(): { id: string; labelId: string } | null {
  const field = useContext(FieldContext);
  return field && { id: field.id, labelId: `${field.id}-label` };
}

export interface FieldProps {
  label: string;
  /** Whether the label is only for screen readers, because the context makes it obvious to others. */
  labelHidden?: boolean;
  hint?: ReactNode;
  /** A sentence, or a predicate that completes the label to one: "is required". */
  error?: string;
  /** The subject of the error's sentence, if the label cannot be it. */
  subject?: string;
  required?: boolean;
  /** Shown beside the label of an optional field. */
  optional?: boolean;
  className?: string;
  children: ReactNode;
}

/** A control with its label, hint and error, linked by ids. */
export function Field({
  label,
  labelHidden,
  hint,
  error,
  subject = label,
  required = false,
  optional,
  className,
  children,
}: FieldProps) {
  const id = useId();
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ") || undefined;
  return (
    <FieldContext value={{ id, describedBy, invalid: Boolean(error), required }}>
      <div className={clsx("grid content-start gap-1.5", className)}>
        <span className={clsx("flex items-baseline gap-1.5", labelHidden && "sr-only")}>
          <label htmlFor={id} id={`${id}-label`} className="min-w-0 break-words font-medium">
            {label}
          </label>
          {optional && <span className="text-faint">optional</span>}
        </span>
        {children}
        {hint && (
          <p id={`${id}-hint`} className="text-quiet text-xs">
            {hint}
          </p>
        )}
        {/* Rendered before the error, which would otherwise not be announced; takes no space while empty. */}
        <div aria-live="polite" className="-mt-1.5">
          {error && (
            <p id={`${id}-error`} className="mt-1.5 flex gap-1.5 text-danger text-xs">
              <CircleAlert aria-hidden className="mt-0.5 size-3.5 shrink-0" />
              {sentence(subject, error)}
            </p>
          )}
        </div>
      </div>
    </FieldContext>
  );
}

function sentence(subject: string, error: string): string {
  if (!/^\p{Ll}/u.test(error) || error.startsWith(subject)) return error;
  const whole = `${subject} ${error.replace(`: ${subject}`, "")}`;
  return /[.!?]$/.test(whole) ? whole : `${whole}.`;
}

/** A group of controls with a legend, such as radio buttons. */
export function FieldGroup({
  legend,
  hint,
  children,
}: {
  legend: string;
  hint?: string;
  children: ReactNode;
}) {
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1 font-medium">{legend}</legend>
      {hint && <p className="text-quiet text-xs">{hint}</p>}
      {children}
    </fieldset>
  );
}
