"use client";
/** A field on its page: selected, moved and resized there, by pointer or keyboard. */
import { clsx } from "clsx";
import type { KeyboardEvent, PointerEvent } from "react";
import { inkOnPaper, type SignerColor } from "../colors.ts";
import type { Box, Corner, PlacedField } from "./placed.ts";
import { typeName } from "./placed.ts";

export interface FieldBoxProps {
  field: PlacedField;
  /** Its position, which differs from the field's while it is dragged. */
  box: Box;
  signer: string;
  color: SignerColor;
  isSelected: boolean;
  onSelect(): void;
  onGrab(event: PointerEvent): void;
  onPull(event: PointerEvent, corner: Corner): void;
  onKeyDown(event: KeyboardEvent): void;
}

const corners: Record<Corner, string> = {
  nw: "-top-2.5 -left-2.5 cursor-nwse-resize",
  ne: "-top-2.5 -right-2.5 cursor-nesw-resize",
  sw: "-bottom-2.5 -left-2.5 cursor-nesw-resize",
  se: "-right-2.5 -bottom-2.5 cursor-nwse-resize",
};

/** Returns the id of a field's button, so that it can be focused. */
export const boxId = (key: string) => `field-${key}`;

export function FieldBox(props: FieldBoxProps) {
  const { field, box, signer, color, isSelected, onSelect, onGrab, onPull, onKeyDown } = props;
  const { type, pageIndex, label, required } = field;
  const where = `page ${pageIndex + 1}, ${Math.round(box.xPct)} % from the left, ${Math.round(box.yPct)} % from the top`;
  return (
    <button
      type="button"
      id={boxId(field.key)}
      aria-pressed={isSelected}
      aria-label={`${label ?? typeName(type)} for ${signer}, ${where}${required ? "" : ", optional"}`}
      onFocus={onSelect}
      onPointerDown={(event) => event.button === 0 && onGrab(event)}
      onKeyDown={onKeyDown}
      style={{
        ...{ left: `${box.xPct}%`, top: `${box.yPct}%`, width: `${box.wPct}%`, height: `${box.hPct}%` },
        ...{ borderColor: color.line, background: color.fill, color: inkOnPaper },
      }}
      className={clsx(
        "absolute cursor-move touch-none select-none border text-left text-2xs leading-tight",
        required ? "border-solid" : "border-dashed",
        isSelected ? "z-10 opacity-95" : "opacity-85 hover:opacity-100",
      )}
    >
      <span className="pointer-events-none absolute inset-0 flex items-center overflow-hidden px-1">
        <span className="truncate">{type === "CHECKBOX" ? "" : (label ?? typeName(type))}</span>
      </span>
      {isSelected && (
        <>
          <span
            aria-hidden
            style={{ outlineColor: color.line }}
            className="pointer-events-none absolute -inset-px outline-2"
          />
          {(Object.keys(corners) as Corner[]).map((corner) => (
            <span
              key={corner}
              aria-hidden
              data-corner={corner}
              onPointerDown={(event) => {
                event.stopPropagation();
                onPull(event, corner);
              }}
              className={clsx("absolute grid size-5 touch-none place-items-center", corners[corner])}
            >
              <span
                style={{ borderColor: color.line }}
                className="size-2.5 rounded-full border-2 bg-[#fff]"
              />
            </span>
          ))}
        </>
      )}
    </button>
  );
}
