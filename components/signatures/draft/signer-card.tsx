"use client";
import { clsx } from "clsx";
import { ArrowDown, ArrowUp, GripVertical, X } from "lucide-react";
import type { PointerEvent } from "react";
import { Badge } from "#components/ui/badge.tsx";
import { IconButton } from "#components/ui/button.tsx";
import { Checkbox } from "#components/ui/choice.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { colorOf } from "../colors.ts";
import type { SignerRow } from "./signer-rows.ts";

export interface SignerCardProps {
  row: SignerRow;
  index: number;
  count: number;
  /** The position of their turn, from 1; null if all sign at once. */
  turn: number | null;
  isDragged: boolean;
  wrong: { name?: string; email?: string };
  onChange(part: Partial<SignerRow>): void;
  onRemove(): void;
  onMove(to: number): void;
  onGrab(event: PointerEvent): void;
}

export function SignerCard(props: SignerCardProps) {
  const { row, index, count, turn, isDragged, wrong, onChange, onRemove, onMove, onGrab } = props;
  const who = row.name || `signer ${index + 1}`;
  const kind = row.userId ? "Member" : row.counterpartyContactId ? "Contact" : null;
  const isMovable = turn !== null && count > 1;
  return (
    <li
      className={clsx(
        "flex gap-2 rounded-lg border border-line bg-paper py-3 pr-2 pl-1",
        isDragged && "shadow-high",
      )}
    >
      <div className="flex flex-col items-center gap-1">
        {isMovable ? (
          <button
            type="button"
            aria-label={`Move ${who}: drag, or use the arrow keys`}
            title="Drag to reorder, or use the arrow keys"
            onPointerDown={onGrab}
            onKeyDown={(event) => {
              const step = event.key === "ArrowUp" ? -1 : event.key === "ArrowDown" ? 1 : 0;
              if (step === 0) return;
              event.preventDefault();
              onMove(index + step);
            }}
            className="grid size-8 cursor-grab touch-none place-items-center rounded-md text-faint hover:bg-hover hover:text-ink active:cursor-grabbing"
          >
            <GripVertical aria-hidden className="size-4" />
          </button>
        ) : (
          <span className="size-8" />
        )}
        <span
          aria-hidden
          style={{ background: colorOf(index).line }}
          className="grid size-6 place-items-center rounded-full font-semibold text-2xs text-[#fff] tabular-nums"
        >
          {turn ?? index + 1}
        </span>
      </div>
      <div className="grid min-w-0 flex-1 gap-3">
        <div className="grid gap-3 sm:grid-cols-2">
          <Field label="Name" error={wrong.name} required>
            <Input
              value={row.name}
              maxLength={200}
              autoComplete="off"
              onChange={(event) => onChange({ name: event.target.value })}
            />
          </Field>
          <Field label="E-mail address" error={wrong.email} required>
            <Input
              type="email"
              value={row.email}
              readOnly={row.userId !== null}
              autoComplete="off"
              onChange={(event) => onChange({ email: event.target.value })}
            />
          </Field>
        </div>
        <div className="flex flex-wrap items-center gap-x-5 gap-y-2">
          {kind && <Badge>{kind}</Badge>}
          <Checkbox
            label="Require a code sent by e-mail"
            checked={row.codeRequired}
            onChange={(event) => onChange({ codeRequired: event.target.checked })}
          />
          {turn !== null && index > 0 && (
            <Checkbox
              label="Signs at the same time as the previous signer"
              checked={row.together}
              onChange={(event) => onChange({ together: event.target.checked })}
            />
          )}
        </div>
      </div>
      <div className="flex flex-col">
        <IconButton label={`Remove ${who}`} onClick={onRemove}>
          <X aria-hidden />
        </IconButton>
        {isMovable && (
          <>
            <IconButton label={`Move ${who} up`} disabled={index === 0} onClick={() => onMove(index - 1)}>
              <ArrowUp aria-hidden />
            </IconButton>
            <IconButton
              label={`Move ${who} down`}
              disabled={index === count - 1}
              onClick={() => onMove(index + 1)}
            >
              <ArrowDown aria-hidden />
            </IconButton>
          </>
        )}
      </div>
    </li>
  );
}
