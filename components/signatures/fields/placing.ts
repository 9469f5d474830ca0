"use client";
/** Actions on a draft's fields: place, move, resize, copy, remove; with snapping and undo. */
import { type KeyboardEvent, type PointerEvent, useRef, useState } from "react";
import type { FieldType } from "#lib/signatures/lifecycle.ts";
import { follow, pageAt } from "./drag.ts";
import { boxId } from "./field-box.tsx";
import type { FieldHistory } from "./history.ts";
import {
  type Box,
  type Corner,
  type Guides,
  newKey,
  onPage,
  type Placed,
  pulled,
  type Sheet,
  sizeOn,
  snapped,
} from "./placed.ts";

/** A field while it is dragged: shown at this position, and placed there on release. */
export interface Live {
  key: string;
  pageIndex: number;
  box: Box;
  guides: Guides;
}

/** A new field being dragged from the palette to a page. */
export interface Ghost {
  type: FieldType;
  x: number;
  y: number;
}

const noGuides: Guides = { x: [], y: [] };
const boxOf = ({ xPct, yPct, wPct, hPct }: Box): Box => ({ xPct, yPct, wPct, hPct });

export interface PlacingOptions {
  history: FieldHistory;
  signerId: string;
  pageCount: number;
  currentPage: number;
  sheets: ReadonlyMap<number, Sheet>;
  onSay(text: string): void;
}

export function usePlacing({ history, signerId, pageCount, currentPage, sheets, onSay }: PlacingOptions) {
  const [selectedKey, select] = useState<string | null>(null);
  const [live, setLive] = useState<Live | null>(null);
  const [ghost, setGhost] = useState<Ghost | null>(null);
  const liveNow = useRef<Live | null>(null);
  const show = (next: Live | null) => {
    liveNow.current = next;
    setLive(next);
  };
  const focus = (key: string) => {
    select(key);
    requestAnimationFrame(() => document.getElementById(boxId(key))?.focus());
  };
  const change = (key: string, part: Partial<Placed>, kind?: string) =>
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
    const field: Placed = {
      ...{ key: newKey(), signerId, type, pageIndex, ...onPage(box) },
      ...{ required: type !== "CHECKBOX", label: null, coversText: false },
      options: type === "DROPDOWN" ? ["Yes", "No"] : [],
    };
    history.change([...history.latest(), field]);
    focus(field.key);
  };

  /** In the middle of the page's visible part, below existing fields. */
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

  const grabNew = (event: PointerEvent, type: FieldType) => {
    follow(event, {
      move: (_, __, { clientX, clientY }) => setGhost({ type, x: clientX, y: clientY }),
      end: (moved, { type: how, clientX, clientY }) => {
        setGhost(null);
        const page = pageAt(clientX, clientY);
        if (moved && page) place(type, page.pageIndex, page);
        else if (!moved && how === "pointerup") placeHere(type);
      },
    });
  };

  const grab = (event: PointerEvent, field: Placed) => {
    const page = pageAt(event.clientX, event.clientY);
    if (!page) return;
    const hold = { x: page.xPct - field.xPct, y: page.yPct - field.yPct };
    follow(event, {
      move: (_, __, { clientX, clientY, altKey }) => {
        const over = pageAt(clientX, clientY);
        const sheet = over && sheets.get(over.pageIndex);
        if (!over || !sheet) return;
        const from = sheets.get(field.pageIndex) ?? sheet;
        // Pages may differ in size: the box keeps its size in points.
        const wPct = (field.wPct * from.width * sheet.scale) / (sheet.width * from.scale);
        const hPct = (field.hPct * from.height * sheet.scale) / (sheet.height * from.scale);
        const wanted = onPage({ xPct: over.xPct - hold.x, yPct: over.yPct - hold.y, wPct, hPct });
        const { box, guides } = altKey
          ? { box: wanted, guides: noGuides }
          : snapped(wanted, others(field.key, over.pageIndex), sheet);
        show({ key: field.key, pageIndex: over.pageIndex, box, guides });
      },
      end: (moved) => {
        const there = liveNow.current;
        show(null);
        if (!moved || !there) return;
        change(field.key, { pageIndex: there.pageIndex, ...there.box, coversText: false });
        focus(field.key);
      },
    });
  };

  const pull = (event: PointerEvent, field: Placed, corner: Corner) => {
    const sheet = sheets.get(field.pageIndex);
    if (!sheet) return;
    follow(event, {
      move: (dx, dy) => {
        const box = pulled(field, corner, (dx * 100) / sheet.width, (dy * 100) / sheet.height);
        show({ key: field.key, pageIndex: field.pageIndex, box, guides: noGuides });
      },
      end: (moved) => {
        const there = liveNow.current;
        show(null);
        if (moved && there) change(field.key, there.box);
      },
    });
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

  const duplicate = (field: Placed) => {
    const sheet = sheets.get(field.pageIndex);
    const shift = sheet ? (12 * 100) / sheet.height : 1;
    const box = onPage({ ...boxOf(field), yPct: field.yPct + field.hPct + shift });
    const copy = { ...field, ...box, key: newKey(), coversText: false };
    history.change([...history.latest(), copy]);
    focus(copy.key);
  };

  const copyToAll = (field: Placed) => {
    const pages = Array.from({ length: pageCount }, (_, index) => index);
    const copies = pages
      .filter((pageIndex) => pageIndex !== field.pageIndex)
      // Skip pages that have an identical field already.
      .filter((pageIndex) => !others("", pageIndex).some((other) => isSame(other, field)))
      .map((pageIndex) => ({ ...field, key: newKey(), pageIndex, coversText: false }));
    history.change([...history.latest(), ...copies]);
    onSay(`The field is on all ${pageCount} pages now.`);
  };

  const press = (event: KeyboardEvent, field: Placed) => {
    const { key, shiftKey, altKey, ctrlKey, metaKey } = event;
    const sheet = sheets.get(field.pageIndex);
    const by = shiftKey ? 10 : 1;
    const [dx, dy] = arrows[key] ?? [0, 0];
    if (sheet && (dx !== 0 || dy !== 0)) {
      event.preventDefault();
      const x = (dx * by * 100) / sheet.width;
      const y = (dy * by * 100) / sheet.height;
      if (altKey) change(field.key, pulled(field, "se", x, y), "resize");
      else {
        const box = onPage({ ...boxOf(field), xPct: field.xPct + x, yPct: field.yPct + y });
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

  return {
    ...{ selectedKey, select, live, ghost, focus, change, placeHere },
    ...{ grabNew, grab, pull, remove, duplicate, copyToAll, press },
  };
}

export type Placing = ReturnType<typeof usePlacing>;

const arrows: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

const isSame = (a: Placed, b: Placed) =>
  a.type === b.type && a.signerId === b.signerId && a.xPct === b.xPct && a.yPct === b.yPct;
