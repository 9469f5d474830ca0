"use client";
import { Redo2, Undo2 } from "lucide-react";
import type { ReactNode } from "react";
import { IconButton } from "#components/ui/button.tsx";
import { Select } from "#components/ui/select.tsx";

export interface ToolbarProps {
  undo: (() => void) | null;
  redo: (() => void) | null;
  page: number;
  pageCount: number;
  onPage(pageIndex: number): void;
  zoom: number;
  onZoom(zoom: number): void;
  children?: ReactNode;
}

const zooms = [1, 1.5, 2];

export function Toolbar({ undo, redo, page, pageCount, onPage, zoom, onZoom, children }: ToolbarProps) {
  return (
    <div role="toolbar" aria-label="Fields and pages" className="flex flex-wrap items-center gap-2">
      <IconButton label="Undo" variant="secondary" disabled={!undo} onClick={() => undo?.()}>
        <Undo2 aria-hidden />
      </IconButton>
      <IconButton label="Redo" variant="secondary" disabled={!redo} onClick={() => redo?.()}>
        <Redo2 aria-hidden />
      </IconButton>
      {pageCount > 1 && (
        <Select
          aria-label="Page"
          className="w-32"
          value={page}
          options={Array.from({ length: pageCount }, (_, index) => ({
            value: String(index),
            label: `Page ${index + 1} of ${pageCount}`,
          }))}
          onChange={(event) => onPage(Number(event.target.value))}
        />
      )}
      <Select
        aria-label="Size"
        className="w-24"
        value={zoom}
        options={zooms.map((value) => ({ value: String(value), label: `${value * 100} %` }))}
        onChange={(event) => onZoom(Number(event.target.value))}
      />
      {children}
    </div>
  );
}
