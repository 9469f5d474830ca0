"use client";
/**
 * The kinds of fields, in the color of the signer who fills them in, to be dragged or clicked onto a page.
 */
import { clsx } from "clsx";
import {
  AtSign,
  Briefcase,
  Building,
  Calendar,
  CalendarCheck,
  ChevronDownSquare,
  Hash,
  type LucideIcon,
  PenLine,
  SquareCheck,
  TextCursorInput,
  Type,
  User,
} from "lucide-react";
import type { PointerEvent } from "react";
import { Field } from "#components/ui/field.tsx";
import { Select } from "#components/ui/select.tsx";
import { type FieldType, fieldTypes } from "#lib/signatures/lifecycle.ts";
import { colorOf } from "../colors.ts";
import type { EnvelopeSigner } from "../request-actions.ts";
import { typeName } from "./placed.ts";

const icons: Record<FieldType, LucideIcon> = {
  SIGNATURE: PenLine,
  INITIALS: Type,
  NAME: User,
  EMAIL: AtSign,
  TITLE: Briefcase,
  COMPANY: Building,
  DATE_SIGNED: CalendarCheck,
  TEXT: TextCursorInput,
  NUMBER: Hash,
  DATE: Calendar,
  CHECKBOX: SquareCheck,
  DROPDOWN: ChevronDownSquare,
};

export interface PaletteProps {
  signers: EnvelopeSigner[];
  signerId: string;
  onSigner(id: string): void;
  onPlace(type: FieldType): void;
  onGrab(event: PointerEvent, type: FieldType): void;
  /** Whether there is no page yet to place a field on. */
  disabled: boolean;
}

export function FieldPalette({ signers, signerId, onSigner, onPlace, onGrab, disabled }: PaletteProps) {
  const color = colorOf(signers.findIndex(({ id }) => id === signerId));
  return (
    <section aria-label="Fields to place" className="grid gap-3">
      <Field label="For">
        <span className="flex items-center gap-2">
          <span aria-hidden style={{ background: color.line }} className="size-3 shrink-0 rounded-full" />
          <SignerSelect signers={signers} value={signerId} onValue={onSigner} />
        </span>
      </Field>
      <ul className="flex gap-1.5 max-lg:-mx-4 max-lg:overflow-x-auto max-lg:px-4 max-lg:pb-1 lg:grid">
        {fieldTypes.map((type) => {
          const Icon = icons[type];
          return (
            <li key={type} className="shrink-0">
              <button
                type="button"
                disabled={disabled}
                onPointerDown={(event) => event.button === 0 && onGrab(event, type)}
                onClick={(event) => {
                  // A pointer's click is handled when its drag ends; only the keyboard's clicks are left.
                  if (event.detail === 0) onPlace(type);
                }}
                style={{ borderLeftColor: color.line }}
                className={clsx(
                  "flex h-9 w-full cursor-grab touch-pan-x select-none items-center gap-2 whitespace-nowrap rounded-md lg:h-8",
                  "border border-line border-l-4 bg-paper px-2.5 text-left hover:bg-hover active:cursor-grabbing disabled:text-faint",
                )}
              >
                <Icon aria-hidden className="size-4 shrink-0 text-quiet" />
                {typeName(type)}
              </button>
            </li>
          );
        })}
      </ul>
      <p className="text-quiet text-xs max-lg:hidden">
        Drag a field onto a page, or click it. Arrow keys move the selected field by 1 pixel, or by 10 with
        Shift; with Alt they resize it.
      </p>
    </section>
  );
}

export function SignerSelect({
  signers,
  value,
  onValue,
}: {
  signers: EnvelopeSigner[];
  value: string;
  onValue(id: string): void;
}) {
  return (
    <Select
      className="min-w-0 flex-1"
      value={value}
      options={signers.map(({ id, name }) => ({ value: id, label: name }))}
      onChange={(event) => onValue(event.target.value)}
    />
  );
}
