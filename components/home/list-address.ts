import type { Home } from "#lib/overview/home/schema.ts";

type Counted = Home["mine"]["due"];

/** Returns the address of the list that a number on Home counts. */
export const addressOf = ({ list, query }: Counted) => `/${list}${query ? `?${query}` : ""}`;
