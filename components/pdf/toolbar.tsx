"use client";
import { ChevronDown, ChevronUp, Minus, Plus } from "lucide-react";
import { type FormEvent, useEffect, useState } from "react";
import { IconButton } from "#components/ui/button.tsx";
import { controlClass } from "#components/ui/control.ts";
import { SearchInput } from "#components/ui/input.tsx";
import { Select } from "#components/ui/select.tsx";
import { type Zoom, zoomSteps } from "./layout.ts";
import type { Found } from "./search.ts";

export interface ViewerToolbarProps {
  page: number;
  pageCount: number;
  onPage(page: number): void;
  zoom: Zoom;
  percent: number;
  onZoom(zoom: Zoom): void;
  onStep(direction: 1 | -1): void;
  search: null | {
    words: string;
    found: Found;
    /** The index of the current match, from 0; -1 before the first. */
    at: number;
    onWords(words: string): void;
    onTurn(step: 1 | -1): void;
  };
}

export function ViewerToolbar({
  page,
  pageCount,
  onPage,
  zoom,
  percent,
  onZoom,
  onStep,
  search,
}: ViewerToolbarProps) {
  const steps = zoomSteps.map((step) => ({ value: String(step), label: `${step * 100} %` }));
  const isStep = zoom === "fit" || zoomSteps.some((step) => step === zoom);
  return (
    <div
      role="toolbar"
      aria-label="Document"
      className="flex flex-wrap items-center gap-x-3 gap-y-2 border-line border-b bg-paper px-3 py-1.5"
    >
      <div className="flex items-center gap-0.5">
        <IconButton label="Previous page" size="sm" disabled={page <= 1} onClick={() => onPage(page - 1)}>
          <ChevronUp aria-hidden />
        </IconButton>
        <IconButton label="Next page" size="sm" disabled={page >= pageCount} onClick={() => onPage(page + 1)}>
          <ChevronDown aria-hidden />
        </IconButton>
        <PageNumber page={page} pageCount={pageCount} onPage={onPage} />
      </div>
      <div className="flex items-center gap-0.5">
        <IconButton label="Zoom out" size="sm" onClick={() => onStep(-1)}>
          <Minus aria-hidden />
        </IconButton>
        <Select
          aria-label="Zoom"
          className="w-28"
          value={String(zoom)}
          onChange={({ target }) => onZoom(target.value === "fit" ? "fit" : Number(target.value))}
          options={[
            { value: "fit", label: "Fit width" },
            ...(isStep ? [] : [{ value: String(zoom), label: `${percent} %` }]),
            ...steps,
          ]}
        />
        <IconButton label="Zoom in" size="sm" onClick={() => onStep(1)}>
          <Plus aria-hidden />
        </IconButton>
      </div>
      {search && <Finder {...search} />}
    </div>
  );
}

function PageNumber({
  page,
  pageCount,
  onPage,
}: {
  page: number;
  pageCount: number;
  onPage(page: number): void;
}) {
  const [typed, setTyped] = useState(String(page));
  useEffect(() => setTyped(String(page)), [page]);
  const go = (event: FormEvent) => {
    event.preventDefault();
    const wanted = Number(typed);
    if (Number.isInteger(wanted) && wanted >= 1 && wanted <= pageCount) onPage(wanted);
    else setTyped(String(page));
  };
  return (
    <form onSubmit={go} className="flex items-center gap-1.5 whitespace-nowrap text-quiet tabular-nums">
      <input
        aria-label="Page"
        inputMode="numeric"
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        onBlur={go}
        className={`${controlClass} h-7 !w-12 text-center`}
      />
      of {pageCount}
    </form>
  );
}

function Finder({ words, found, at, onWords, onTurn }: NonNullable<ViewerToolbarProps["search"]>) {
  const count = found.pages.length;
  const said = found.isSearching
    ? "Searching"
    : count === 0
      ? "Not found"
      : `${at < 0 ? "" : `${at + 1} of `}${count}`;
  return (
    <form
      className="ml-auto flex items-center gap-1 max-sm:w-full"
      onSubmit={(event) => {
        event.preventDefault();
        onTurn(1);
      }}
    >
      <span role="status" className="whitespace-nowrap text-faint text-xs tabular-nums">
        {words.trim().length > 1 && said}
      </span>
      <SearchInput
        label="Search the document"
        className="w-48 max-sm:w-auto max-sm:flex-1"
        value={words}
        onValue={onWords}
      />
      <IconButton label="Previous match" size="sm" disabled={count === 0} onClick={() => onTurn(-1)}>
        <ChevronUp aria-hidden />
      </IconButton>
      <IconButton label="Next match" size="sm" disabled={count === 0} onClick={() => onTurn(1)}>
        <ChevronDown aria-hidden />
      </IconButton>
    </form>
  );
}
