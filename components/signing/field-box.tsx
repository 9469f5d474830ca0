"use client";
/** One of the signer's fields, at its position on the page. */
import { clsx } from "clsx";
import { type KeyboardEvent, useId } from "react";
import type { ShownPage } from "#components/pdf/pages.tsx";
import { isOfComposition } from "#components/ui/composition.ts";
import type { OwnField } from "#lib/doors/sign-client.ts";
import { automaticTypes, handwrittenTypes } from "#lib/signatures/lifecycle.ts";
import type { Filling } from "./filling.ts";
import { layoutOf } from "./place.ts";
import { inputOf, nameOf } from "./words.ts";
import { OwnSignature } from "./written.tsx";

export interface FieldBoxProps extends Filling {
  field: OwnField;
  page: ShownPage;
}

/** The minimum size of a touch target. */
const fingerPx = 24;

export function FieldBox(props: FieldBoxProps) {
  const { field, page, state, entries, ask } = props;
  const { style, fontSize, height, bottom } = layoutOf(field, page);
  const error = entries.errorOf(field);
  const errorId = useId();
  const tall = Math.max(height, fingerPx);
  return (
    <div style={{ ...style, fontSize, height: tall, marginTop: (height - tall) / 2 }} className="absolute">
      <Control {...props} errorId={errorId} />
      {handwrittenTypes.has(field.type) && entries.isFilled(field) && (
        <div
          aria-hidden
          // At the position where it will be stamped, even if the field was enlarged for touch.
          style={{ height, top: (tall - height) / 2, paddingBottom: bottom }}
          className="pointer-events-none absolute inset-x-0 grid"
        >
          <OwnSignature
            ask={ask}
            mark={field.type === "INITIALS" ? state.signature.initialsMark : state.signature.mark}
            isInitials={field.type === "INITIALS"}
            className="size-full min-h-0"
          />
        </div>
      )}
      {error && (
        <p
          id={errorId}
          className="absolute top-full left-0 z-10 mt-0.5 w-max max-w-56 rounded-sm bg-danger-fill px-1.5 py-0.5 text-on-danger text-xs"
        >
          {error}
        </p>
      )}
    </div>
  );
}

const box = "size-full min-w-6 rounded-sm border-2 text-[length:inherit] leading-tight scroll-my-24";
const open = "border-accent border-dashed bg-accent-soft";
const filled = "border-edge border-solid bg-paper";

function Control({
  field,
  page,
  entries,
  errorId,
  onSign,
  onNext,
  onFocus,
  onFilled,
}: FieldBoxProps & { errorId: string }) {
  const { type } = field;
  const isFilled = entries.isFilled(field);
  const name = `${nameOf(field)}, page ${field.pageIndex + 1}`;
  const value = entries.valueOf(field) ?? "";
  const error = entries.errorOf(field);
  const look = clsx(box, error ? "border-danger bg-tone-bad" : isFilled ? filled : open);
  const shared = {
    "data-field": field.id,
    onFocus: () => onFocus(field),
    "aria-invalid": error ? true : undefined,
    "aria-describedby": error ? errorId : undefined,
  };
  if (automaticTypes.has(type)) {
    return (
      <p className="grid size-full items-center overflow-hidden rounded-sm bg-well px-1 leading-tight">
        <span className="truncate">
          <span className="sr-only">{name}: </span>
          {value}
        </span>
      </p>
    );
  }
  if (handwrittenTypes.has(type)) {
    const isInitials = type === "INITIALS";
    return (
      <button
        {...shared}
        type="button"
        // Ignore the second click of a double click: it would ask to change what the first one signed.
        onClick={(event) => event.detail < 2 && onSign(field)}
        className={clsx(look, "grid place-items-center overflow-hidden px-1 font-medium")}
      >
        <span className="sr-only">
          {name}, {isFilled ? "signed: change or remove" : field.required ? "required" : "optional"}
        </span>
        {!isFilled && (
          <span aria-hidden className="text-accent">
            {isInitials ? "Initial" : "Sign"}
          </span>
        )}
      </button>
    );
  }
  if (type === "CHECKBOX") {
    return (
      <label className="absolute inset-0 grid place-items-center">
        <input
          {...shared}
          type="checkbox"
          aria-label={name}
          aria-required={field.required}
          checked={value === "true"}
          onChange={(event) => {
            entries.enter(field, event.target.checked, "at-once");
            if (event.target.checked) onFilled(field);
          }}
          style={{ height: Math.min(24, Math.max(16, (page.height * field.hPct) / 100)) }}
          className="aspect-square accent-accent outline-offset-2"
        />
      </label>
    );
  }
  const typed = {
    ...shared,
    "aria-label": name,
    "aria-required": field.required,
    value,
    onChange: (event: { target: { value: string } }) => entries.enter(field, event.target.value),
    onBlur: () => void entries.keep(),
    className: clsx(look, "px-1"),
  };
  if (type === "DROPDOWN") {
    return (
      <select
        {...typed}
        onChange={(event) => {
          entries.enter(field, event.target.value, "at-once");
          if (event.target.value) onFilled(field);
        }}
      >
        <option value="">Choose …</option>
        {field.options.map((option) => (
          <option key={option}>{option}</option>
        ))}
      </select>
    );
  }
  const next = (event: KeyboardEvent) => event.key === "Enter" && !isOfComposition(event) && onNext();
  return (
    <input
      {...typed}
      {...inputOf(field)}
      onKeyDown={next}
      enterKeyHint="next"
      placeholder={field.required ? nameOf(field) : ""}
    />
  );
}
