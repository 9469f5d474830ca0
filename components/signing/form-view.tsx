"use client";
/** The document's fields as an ordinary form. */
import { Button } from "#components/ui/button.tsx";
import { Checkbox } from "#components/ui/choice.tsx";
import { Field } from "#components/ui/field.tsx";
import { FormError } from "#components/ui/form-error.tsx";
import { Input } from "#components/ui/input.tsx";
import { Select } from "#components/ui/select.tsx";
import type { OwnField } from "#lib/doors/sign-client.ts";
import { automaticTypes, handwrittenTypes } from "#lib/signatures/lifecycle.ts";
import type { Filling } from "./filling.ts";
import { inputOf, nameOf } from "./words.ts";
import { OwnSignature } from "./written.tsx";

export function FormView(filling: Filling) {
  return (
    <form
      onSubmit={(event) => event.preventDefault()}
      noValidate
      className="mx-auto grid min-h-[60dvh] max-w-xl content-start gap-6 px-4 py-4 sm:px-6"
    >
      <p className="text-base text-quiet">
        These are your fields in the document. Each is saved as you fill it in; “Finish” signs.
      </p>
      {filling.entries.fields.map((field) => (
        <FormField key={field.id} field={field} {...filling} />
      ))}
    </form>
  );
}

function FormField({ field, ...filling }: Filling & { field: OwnField }) {
  const { entries, onFocus } = filling;
  const { type, required } = field;
  const value = entries.valueOf(field) ?? "";
  const error = entries.errorOf(field);
  const page = `On page ${field.pageIndex + 1}`;
  if (handwrittenTypes.has(type)) return <Signature field={field} {...filling} />;
  if (type === "CHECKBOX") {
    return (
      <div className="grid gap-1.5">
        <Checkbox
          data-field={field.id}
          onFocus={() => onFocus(field)}
          className="min-h-6"
          label={required ? nameOf(field) : `${nameOf(field)} (optional)`}
          hint={page}
          checked={value === "true"}
          aria-required={required}
          onChange={(event) => entries.enter(field, event.target.checked, "at-once")}
        />
        <FormError>{error}</FormError>
      </div>
    );
  }
  const isAutomatic = automaticTypes.has(type);
  const control = {
    "data-field": field.id,
    value,
    onFocus: () => onFocus(field),
    onBlur: () => void entries.keep(),
    onChange: (event: { target: { value: string } }) => entries.enter(field, event.target.value),
  };
  return (
    <Field
      label={nameOf(field)}
      optional={!required}
      hint={isAutomatic ? `${page}. It is filled in automatically when you sign.` : page}
      error={error}
      required={required && !isAutomatic}
    >
      {isAutomatic ? (
        <Input value={value} readOnly />
      ) : type === "DROPDOWN" ? (
        <Select
          {...control}
          placeholder="Choose …"
          options={field.options.map((option) => ({ value: option, label: option }))}
        />
      ) : (
        <Input {...control} {...inputOf(field)} />
      )}
    </Field>
  );
}

function Signature({ field, state, entries, ask, onSign, onFocus }: Filling & { field: OwnField }) {
  const isInitials = field.type === "INITIALS";
  const isFilled = entries.isFilled(field);
  const error = entries.errorOf(field);
  const name = nameOf(field);
  return (
    <fieldset className="grid gap-1.5">
      <legend className="mb-1.5 font-medium">
        {name}
        {!field.required && <span className="ml-1.5 font-normal text-faint">optional</span>}
      </legend>
      <div className="flex min-h-16 items-center gap-3 rounded-lg border border-line bg-paper px-4 py-2">
        {isFilled && (
          <span className="on-paper flex h-12 min-w-0 flex-1 items-center rounded-sm bg-paper px-4 text-ink">
            <OwnSignature
              ask={ask}
              mark={isInitials ? state.signature.initialsMark : state.signature.mark}
              isInitials={isInitials}
              className="size-full"
            />
          </span>
        )}
        <Button
          data-field={field.id}
          variant={isFilled ? "secondary" : "primary"}
          onFocus={() => onFocus(field)}
          onClick={(event) => event.detail < 2 && onSign(field)}
          aria-label={`${name}, page ${field.pageIndex + 1}: ${isFilled ? "change or remove" : isInitials ? "initial here" : "sign here"}`}
        >
          {isFilled ? "Change" : isInitials ? "Initial here" : "Sign here"}
        </Button>
      </div>
      <p className="text-quiet text-xs">On page {field.pageIndex + 1}</p>
      <FormError>{error && `${name} ${error}`}</FormError>
    </fieldset>
  );
}
