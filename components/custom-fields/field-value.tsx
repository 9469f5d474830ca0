"use client";
import { DayText } from "#components/ui/time.tsx";
import type { CustomField } from "#lib/custom-fields/schema.ts";
import { numberWords } from "./words.ts";

export interface FieldValueProps {
  field: Pick<CustomField, "type">;
  value: string | null;
  people: ReadonlyMap<string, string>;
  empty?: string;
}

/** A contract's value of a custom field, formatted for display. */
export function FieldValue({ field, value, people, empty = "–" }: FieldValueProps) {
  if (value === null) return <span className="text-faint">{empty}</span>;
  if (field.type === "date") return <DayText value={value} />;
  if (field.type === "number") return <span className="break-all tabular-nums">{numberWords(value)}</span>;
  return <>{field.type === "member" ? (people.get(value) ?? "…") : value}</>;
}
