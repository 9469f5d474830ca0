"use client";
/** Actions on a draft's fields, with the mouse and with the keyboard. */
import type { KeyboardEvent } from "react";
import { type EditingOptions, useEditing } from "./editing.ts";
import { boxOf, clampToPage, type PlacedField, resized } from "./placed.ts";
import { useFieldDrag } from "./pointing.ts";

export function usePlacing(options: EditingOptions) {
  const editing = useEditing(options);
  const pointing = useFieldDrag(editing, options.sheets);
  const { change, remove, duplicate, select } = editing;

  const press = (event: KeyboardEvent, field: PlacedField) => {
    const { key, shiftKey, altKey, ctrlKey, metaKey } = event;
    const sheet = options.sheets.get(field.pageIndex);
    const by = shiftKey ? 10 : 1;
    const [dx, dy] = arrows[key] ?? [0, 0];
    if (sheet && (dx !== 0 || dy !== 0)) {
      event.preventDefault();
      const x = (dx * by * 100) / sheet.width;
      const y = (dy * by * 100) / sheet.height;
      if (altKey) change(field.key, resized(field, "se", x, y), "resize");
      else {
        const box = clampToPage({ ...boxOf(field), xPct: field.xPct + x, yPct: field.yPct + y });
        change(field.key, { ...box, coversText: false }, "nudge");
      }
    } else if (key === "Delete" || key === "Backspace") {
      event.preventDefault();
      remove(field.key);
    } else if (key.toLowerCase() === "d" && (ctrlKey || metaKey)) {
      event.preventDefault();
      duplicate(field);
    } else if (key === "Escape") {
      (event.currentTarget as HTMLElement).blur();
      select(null);
    }
  };

  return { ...editing, ...pointing, press };
}

export type Placing = ReturnType<typeof usePlacing>;

const arrows: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};
