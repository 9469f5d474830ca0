"use client";
/** Edits a draft's fields: place, change, remove, duplicate, copy; each can be undone. */
import { useState } from "react";
import type { FieldType } from "#lib/signatures/lifecycle.ts";
import { boxId } from "./field-box.tsx";
import type { FieldHistory } from "./history.ts";
import { boxOf, clampToPage, newKey, type PlacedField, type Sheet, sizeOn } from "./placed.ts";

export interface EditingOptions {
  history: FieldHistory;
  signerId: string;
  pageCount: number;
  currentPage: number;
  sheets: ReadonlyMap<number, Sheet>;
  onSay(text: string): void;
}

export function useEditing({ history, signerId, pageCount, currentPage, sheets, onSay }: EditingOptions) {
  const [selectedKey, select] = useState<string | null>(null);
  const focus = (key: string) => {
    select(key);
    requestAnimationFrame(() => document.getElementById(boxId(key))?.focus());
  };
  const change = (key: string, part: Partial<PlacedField>, kind?: string) =>
    history.change(
      history.latest().map((field) => (field.key === key ? { ...field, ...part } : field)),
      kind && `${kind} ${key}`,
    );
  const others = (key: string, pageIndex: number) =>
    history.latest().filter((field) => field.key !== key && field.pageIndex === pageIndex);

  const place = (type: FieldType, pageIndex: number, at: { xPct: number; yPct: number }) => {
    const sheet = sheets.get(pageIndex);
    if (!sheet) return;
    const size = sizeOn(type, sheet);
    const box = { xPct: at.xPct - size.wPct / 2, yPct: at.yPct - size.hPct / 2, ...size };
    const field: PlacedField = {
      ...{ key: newKey(), signerId, type, pageIndex, ...clampToPage(box) },
      ...{ required: type !== "CHECKBOX", label: null, coversText: false },
      options: type === "DROPDOWN" ? ["Yes", "No"] : [],
    };
    history.change([...history.latest(), field]);
    focus(field.key);
  };

  /** Places a field in the middle of the current page's visible part, below existing fields. */
  const placeHere = (type: FieldType) => {
    const sheet = sheets.get(currentPage);
    const element = document.querySelector(`[data-sheet="${currentPage}"]`);
    if (!sheet || !element) return;
    const { top, height } = element.getBoundingClientRect();
    const middle = ((window.innerHeight / 2 - top) * 100) / height;
    const { hPct } = sizeOn(type, sheet);
    const at = { xPct: 50, yPct: Math.min(Math.max(middle, hPct), 100 - hPct) };
    const taken = others("", currentPage);
    const isTaken = (y: number) =>
      taken.some((field) => y - hPct / 2 < field.yPct + field.hPct && y + hPct / 2 > field.yPct);
    while (isTaken(at.yPct) && at.yPct + hPct * 1.5 < 100) at.yPct += hPct / 2;
    place(type, currentPage, at);
  };

  const remove = (key: string) => {
    const index = history.latest().findIndex((field) => field.key === key);
    const rest = history.latest().filter((field) => field.key !== key);
    history.change(rest);
    onSay("The field was removed. Undo restores it.");
    const next = rest[Math.min(index, rest.length - 1)];
    if (next) focus(next.key);
    else select(null);
  };

  const duplicate = (field: PlacedField) => {
    const sheet = sheets.get(field.pageIndex);
    const shift = sheet ? (12 * 100) / sheet.height : 1;
    const box = clampToPage({ ...boxOf(field), yPct: field.yPct + field.hPct + shift });
    const copy = { ...field, ...box, key: newKey(), coversText: false };
    history.change([...history.latest(), copy]);
    focus(copy.key);
  };

  const copyToAll = (field: PlacedField) => {
    const pages = Array.from({ length: pageCount }, (_, index) => index);
    const copies = pages
      .filter((pageIndex) => pageIndex !== field.pageIndex)
      // Skip pages that have an identical field already.
      .filter((pageIndex) => !others("", pageIndex).some((other) => isSame(other, field)))
      .map((pageIndex) => ({ ...field, key: newKey(), pageIndex, coversText: false }));
    history.change([...history.latest(), ...copies]);
    onSay(`The field is on all ${pageCount} pages now.`);
  };

  return { selectedKey, select, focus, change, others, place, placeHere, remove, duplicate, copyToAll };
}

export type Editing = ReturnType<typeof useEditing>;

const isSame = (a: PlacedField, b: PlacedField) =>
  a.type === b.type && a.signerId === b.signerId && a.xPct === b.xPct && a.yPct === b.yPct;
