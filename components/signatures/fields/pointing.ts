"use client";
/**
 * Places, moves and resizes a draft's fields with the mouse, a finger or a pen. Boxes snap to others nearby.
 */
import { type PointerEvent, useRef, useState } from "react";
import type { FieldType } from "#lib/signatures/lifecycle.ts";
import { follow, pageAt } from "./drag.ts";
import type { Editing } from "./editing.ts";
import {
  type Box,
  type Corner,
  clampToPage,
  type Guides,
  type PlacedField,
  resized,
  type Sheet,
  snapped,
} from "./placed.ts";

/** A field that is being dragged, shown at this position and placed there on release. */
export interface DragPreview {
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

export function useFieldDrag(
  { place, placeHere, change, others, focus }: Editing,
  sheets: ReadonlyMap<number, Sheet>,
) {
  const [live, setLive] = useState<DragPreview | null>(null);
  const [ghost, setGhost] = useState<Ghost | null>(null);
  const liveNow = useRef<DragPreview | null>(null);
  const show = (next: DragPreview | null) => {
    liveNow.current = next;
    setLive(next);
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

  const grab = (event: PointerEvent, field: PlacedField) => {
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
        const wanted = clampToPage({ xPct: over.xPct - hold.x, yPct: over.yPct - hold.y, wPct, hPct });
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

  const resize = (event: PointerEvent, field: PlacedField, corner: Corner) => {
    const sheet = sheets.get(field.pageIndex);
    if (!sheet) return;
    follow(event, {
      move: (dx, dy) => {
        const box = resized(field, corner, (dx * 100) / sheet.width, (dy * 100) / sheet.height);
        show({ key: field.key, pageIndex: field.pageIndex, box, guides: noGuides });
      },
      end: (moved) => {
        const there = liveNow.current;
        show(null);
        if (moved && there) change(field.key, there.box);
      },
    });
  };

  return { live, ghost, grabNew, grab, resize };
}
