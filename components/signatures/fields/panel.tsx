"use client";
/** A field's settings: its signer, its exact position, and what it asks for. */
import { Copy, Files, Trash2 } from "lucide-react";
import { useEffect, useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { Checkbox } from "#components/ui/choice.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input, Textarea } from "#components/ui/input.tsx";
import { automaticTypes } from "#lib/signatures/lifecycle.ts";
import type { EnvelopeSigner } from "../request-actions.ts";
import { SignerSelect } from "./palette.tsx";
import { type Box, clampToPage, type PlacedField } from "./placed.ts";

export interface FieldPanelProps {
  field: PlacedField;
  signers: EnvelopeSigner[];
  pageCount: number;
  onChange(part: Partial<PlacedField>, kind: string): void;
  onDuplicate(): void;
  onCopyToAll(): void;
  onDelete(): void;
}

const sides: [keyof Box, string][] = [
  ["xPct", "Left %"],
  ["yPct", "Top %"],
  ["wPct", "Width %"],
  ["hPct", "Height %"],
];

export function FieldPanel(props: FieldPanelProps) {
  const { field, signers, pageCount, onChange, onDuplicate, onCopyToAll, onDelete } = props;
  const { xPct, yPct, wPct, hPct } = field;
  return (
    <div className="grid gap-4">
      <Field label="Filled in by">
        <SignerSelect
          signers={signers}
          value={field.signerId}
          onValue={(signerId) => onChange({ signerId }, "signer")}
        />
      </Field>
      {automaticTypes.has(field.type) ? (
        <p className="text-quiet text-xs">It is filled in automatically when the signer signs.</p>
      ) : (
        <Checkbox
          label="Required"
          checked={field.required}
          onChange={(event) => onChange({ required: event.target.checked }, "required")}
        />
      )}
      <Field label="Label" optional hint="What the signer is asked for.">
        <Input
          value={field.label ?? ""}
          maxLength={200}
          onChange={(event) => onChange({ label: event.target.value || null }, "label")}
        />
      </Field>
      {field.type === "DROPDOWN" && <Choices field={field} onChange={onChange} />}
      <fieldset className="grid grid-cols-2 gap-3">
        <legend className="sr-only">Place on the page</legend>
        {sides.map(([side, label]) => (
          <NumberField
            key={side}
            label={label}
            value={field[side]}
            onValue={(value) => onChange(clampToPage({ xPct, yPct, wPct, hPct, [side]: value }), side)}
          />
        ))}
        <NumberField
          label="Page"
          value={field.pageIndex + 1}
          error={field.pageIndex < pageCount ? undefined : `is not one of ${pageCount}`}
          onValue={(page) => {
            const pageIndex = Math.min(Math.max(1, Math.round(page)), pageCount) - 1;
            onChange({ pageIndex }, "page");
          }}
        />
      </fieldset>
      <div className="flex flex-wrap gap-2">
        <Button size="sm" onClick={onDuplicate}>
          <Copy aria-hidden />
          Duplicate
        </Button>
        {pageCount > 1 && (
          <Button size="sm" onClick={onCopyToAll}>
            <Files aria-hidden />
            Copy to all pages
          </Button>
        )}
        <Button size="sm" onClick={onDelete}>
          <Trash2 aria-hidden />
          Delete
        </Button>
      </div>
    </div>
  );
}

interface ExactProps {
  label: string;
  value: number;
  error?: string | undefined;
  onValue(value: number): void;
}

/**
 * A number input that applies its value on blur or Enter, and restores the last value if the text is not a
 * number. It is focused on mount if its value is invalid.
 */
function NumberField({ label, value, error, onValue }: ExactProps) {
  const shown = String(Math.round(value * 100) / 100);
  const [text, setText] = useState(shown);
  useEffect(() => setText(shown), [shown]);
  const take = () => {
    const number = Number(text.replace(",", "."));
    if (text.trim() !== "" && Number.isFinite(number) && text !== shown) onValue(number);
    else setText(shown);
  };
  return (
    <Field label={label} {...(error ? { error } : {})}>
      <Input
        inputMode="decimal"
        autoFocus={error !== undefined}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onBlur={take}
        onKeyDown={(event) => event.key === "Enter" && take()}
        className="tabular-nums"
      />
    </Field>
  );
}

function Choices({ field, onChange }: Pick<FieldPanelProps, "field" | "onChange">) {
  const [text, setText] = useState(field.options.join("\n"));
  return (
    <Field
      label="Options"
      required
      hint="One per line."
      error={field.options.length === 0 ? "needs at least one option" : undefined}
    >
      <Textarea
        value={text}
        rows={4}
        onChange={(event) => {
          setText(event.target.value);
          const options = event.target.value.split("\n").map((line) => line.trim());
          onChange({ options: [...new Set(options.filter((line) => line !== ""))] }, "options");
        }}
      />
    </Field>
  );
}
