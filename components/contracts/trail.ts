"use client";
/**
 * Remembers the list that the user came from, for links to the next contract and back. It is a snapshot: a
 * contract edited in the meantime keeps its place, even in a list sorted by last activity.
 */
import { useEffect, useState } from "react";
import { useOperation } from "#components/query.tsx";
import { readStored, writeStored } from "#components/tab-storage.ts";
import type { InputOf, OutputOf } from "#lib/doors/client.ts";

type Page = OutputOf<"contracts.list">;

interface Trail {
  /** The list's URL. */
  href: string;
  input: InputOf<"contracts.list">;
  page: number;
  pageSize: number;
  pageCount: number;
  total: number;
  ids: string[];
}

const trailKey = "contracts list";
const placeKey = "contracts place";

/** Remembers the page of the list that is shown. Call it for each page. */
export function rememberList(href: string, input: Trail["input"], { data, ...counts }: Page): void {
  writeStored(trailKey, { href, input, ...counts, ids: data.map(({ id }) => id) } satisfies Trail);
}

/** Remembers which contract the list should focus. Call it on the way back. */
export const rememberFocus = (contractId: string) => writeStored(placeKey, contractId);

/** Returns the contract that the list should focus, and forgets it. */
export function takeFocus(): string | null {
  const place = readStored<string>(placeKey);
  writeStored(placeKey, null);
  return place;
}

export interface Neighbor {
  id: string;
  /** Call it when following the link. */
  enter(): void;
}

export interface Neighbors {
  listHref: string;
  /** The position in the whole list, from 1. */
  position: number;
  total: number;
  previous: Neighbor | null;
  next: Neighbor | null;
}

/** Returns null if the user did not come from a list, and until the remembered list has been read. */
export function useNeighbors(id: string): Neighbors | null {
  const [trail, setTrail] = useState<Trail | null>(null);
  useEffect(() => setTrail(readStored<Trail>(trailKey)), []);
  const at = trail?.ids.indexOf(id) ?? -1;
  const isFirst = at === 0 && trail !== null && trail.page > 1;
  const isLast = at >= 0 && trail !== null && at === trail.ids.length - 1 && trail.page < trail.pageCount;
  const before = usePage(trail, -1, isFirst);
  const after = usePage(trail, 1, isLast);
  if (trail === null || at < 0) return null;
  const within = (neighbor: string | undefined) =>
    neighbor === undefined ? null : { id: neighbor, enter: () => undefined };
  return {
    listHref: trail.href,
    position: (trail.page - 1) * trail.pageSize + at + 1,
    total: trail.total,
    previous: isFirst ? neighborOnPage(trail, before, "last") : within(trail.ids[at - 1]),
    next: isLast ? neighborOnPage(trail, after, "first") : within(trail.ids[at + 1]),
  };
}

/** Returns the page before or after the remembered one, once it has loaded. */
function usePage(trail: Trail | null, step: -1 | 1, isWanted: boolean): Page | undefined {
  const input = { ...trail?.input, page: (trail?.page ?? 1) + step };
  return useOperation("contracts.list", input, { enabled: isWanted }).data;
}

/**
 * Returns the neighbor on an adjacent page. Skips contracts that have moved there since: the user has seen
 * them already.
 */
function neighborOnPage(trail: Trail, page: Page | undefined, end: "first" | "last"): Neighbor | null {
  const others = page?.data.filter(({ id }) => !trail.ids.includes(id)) ?? [];
  const neighbor = others.at(end === "first" ? 0 : -1);
  if (!page || !neighbor) return null;
  const enter = () => {
    const [path, query] = trail.href.split("?", 2);
    const parameters = new URLSearchParams(query);
    parameters.set("page", String(page.page));
    rememberList(`${path}?${parameters}`, { ...trail.input, page: page.page }, { ...page, data: others });
  };
  return { id: neighbor.id, enter };
}
