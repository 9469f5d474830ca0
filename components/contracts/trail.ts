"use client";
/**
 * The list that one came from, for the way to the next contract and back. It is as it was then: what is edited
 * meanwhile keeps its place, also in a list whose order follows the last activity.
 */
import { useEffect, useState } from "react";
import { useOperation } from "#components/query.tsx";
import { recall, remember } from "#components/tab-memory.ts";
import type { InputOf, OutputOf } from "#lib/doors/client.ts";

type Page = OutputOf<"contracts.list">;

interface Trail {
  /** The list's address. */
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

/** Call it with each page of the list that is shown. */
export function rememberList(href: string, input: Trail["input"], { data, ...counts }: Page): void {
  remember(trailKey, { href, input, ...counts, ids: data.map(({ id }) => id) } satisfies Trail);
}

/** Call it on the way back: the list will begin where this contract stands. */
export const rememberPlace = (contractId: string) => remember(placeKey, contractId);

/** The contract at which the list is to begin, once. */
export function takePlace(): string | null {
  const place = recall<string>(placeKey);
  remember(placeKey, null);
  return place;
}

export interface Neighbour {
  id: string;
  /** Call it on the way there. */
  enter(): void;
}

export interface Neighbours {
  listHref: string;
  /** From 1, of all that the list has. */
  position: number;
  total: number;
  previous: Neighbour | null;
  next: Neighbour | null;
}

/** Null where one did not come from a list, and until the browser has told. */
export function useNeighbours(id: string): Neighbours | null {
  const [trail, setTrail] = useState<Trail | null>(null);
  useEffect(() => setTrail(recall<Trail>(trailKey)), []);
  const at = trail?.ids.indexOf(id) ?? -1;
  const isFirst = at === 0 && trail !== null && trail.page > 1;
  const isLast = at >= 0 && trail !== null && at === trail.ids.length - 1 && trail.page < trail.pageCount;
  const before = usePage(trail, -1, isFirst);
  const after = usePage(trail, 1, isLast);
  if (trail === null || at < 0) return null;
  const within = (neighbour: string | undefined) =>
    neighbour === undefined ? null : { id: neighbour, enter: () => undefined };
  return {
    listHref: trail.href,
    position: (trail.page - 1) * trail.pageSize + at + 1,
    total: trail.total,
    previous: isFirst ? across(trail, before, "last") : within(trail.ids[at - 1]),
    next: isLast ? across(trail, after, "first") : within(trail.ids[at + 1]),
  };
}

/** The page before or after the one that is remembered. */
function usePage(trail: Trail | null, step: -1 | 1, isWanted: boolean): Page | undefined {
  const input = { ...trail?.input, page: (trail?.page ?? 1) + step };
  return useOperation("contracts.list", input, { enabled: isWanted }).data;
}

/** What has moved onto the other page meanwhile was passed already. */
function across(trail: Trail, page: Page | undefined, end: "first" | "last"): Neighbour | null {
  const others = page?.data.filter(({ id }) => !trail.ids.includes(id)) ?? [];
  const neighbour = others.at(end === "first" ? 0 : -1);
  if (!page || !neighbour) return null;
  const enter = () => {
    const [path, query] = trail.href.split("?", 2);
    const parameters = new URLSearchParams(query);
    parameters.set("page", String(page.page));
    rememberList(`${path}?${parameters}`, { ...trail.input, page: page.page }, { ...page, data: others });
  };
  return { id: neighbour.id, enter };
}
