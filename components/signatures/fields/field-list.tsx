"use client";
/** Lists all fields, page by page, so that each can be reached without a pointer. */
import { colorOf } from "../colors.ts";
import type { EnvelopeSigner } from "../request-actions.ts";
import { type PlacedField, typeName } from "./placed.ts";

export interface FieldListProps {
  fields: PlacedField[];
  signers: EnvelopeSigner[];
  onPick(key: string): void;
}

export function FieldList({ fields, signers, onPick }: FieldListProps) {
  if (fields.length === 0) {
    return (
      <p className="rounded-lg bg-well p-4 text-quiet">
        No fields yet. Each signer needs at least one signature.
      </p>
    );
  }
  const sorted = fields.toSorted((a, b) => a.pageIndex - b.pageIndex || a.yPct - b.yPct);
  return (
    <ul className="grid gap-0.5">
      {sorted.map((field) => {
        const index = signers.findIndex(({ id }) => id === field.signerId);
        return (
          <li key={field.key}>
            <button
              type="button"
              onClick={() => onPick(field.key)}
              className="flex w-full items-center gap-2 rounded-md px-2 py-1.5 text-left hover:bg-hover"
            >
              <span
                aria-hidden
                style={{ background: colorOf(index).line }}
                className="size-2.5 shrink-0 rounded-full"
              />
              <span className="min-w-0 flex-1 truncate">
                {field.label ?? typeName(field.type)}
                <span className="sr-only"> for </span>
                <span className="block truncate text-quiet text-xs">{signers[index]?.name}</span>
              </span>
              <span className="text-quiet text-xs tabular-nums">Page {field.pageIndex + 1}</span>
            </button>
          </li>
        );
      })}
    </ul>
  );
}
