/** The query of the list of obligations in the URL, with the API's parameter names. */
import {
  createLoader,
  createSerializer,
  type inferParserType,
  parseAsInteger,
  parseAsNativeArrayOf,
  parseAsString,
  parseAsStringLiteral,
} from "nuqs/server";
import type { InputOf } from "#lib/doors/client.ts";
import { obligationKinds, obligationStatuses, openStatuses } from "#lib/obligations/lifecycle.ts";

/** The statuses that still need attention. */
const unfinishedStatuses = ["SUGGESTED", ...openStatuses] as const;

export const obligationParsers = {
  /** The statuses to show if none are chosen: the open ones, or all. */
  view: parseAsStringLiteral(["open", "all"]).withDefault("open"),
  q: parseAsString.withDefault(""),
  status: parseAsNativeArrayOf(parseAsStringLiteral(obligationStatuses)),
  kind: parseAsNativeArrayOf(parseAsStringLiteral(obligationKinds)),
  counterpartyId: parseAsString,
  ownerId: parseAsString,
  assigneeId: parseAsString,
  dueFrom: parseAsString,
  dueTo: parseAsString,
  page: parseAsInteger.withDefault(1),
};

export type ObligationSearch = inferParserType<typeof obligationParsers>;

export const loadObligationSearch = createLoader(obligationParsers);
export const obligationSearchQuery = createSerializer(obligationParsers);

export const noObligationFilters = {
  q: null,
  status: null,
  kind: null,
  counterpartyId: null,
  ownerId: null,
  assigneeId: null,
  dueFrom: null,
  dueTo: null,
  page: null,
} as const;

export function obligationQuery({
  q,
  status,
  kind,
  page,
  view,
  ...rest
}: ObligationSearch): InputOf<"obligations.agenda"> {
  const given = Object.entries(rest).filter(([, value]) => value);
  return {
    ...(q ? { q } : {}),
    ...(status.length > 0 ? { status } : view === "open" ? { status: [...unfinishedStatuses] } : {}),
    ...(kind.length > 0 ? { kind } : {}),
    ...Object.fromEntries(given),
    page: Math.max(1, page),
  };
}

export function hasObligationFilters({
  q,
  status,
  kind,
  page: _,
  view: __,
  ...rest
}: ObligationSearch): boolean {
  return q !== "" || status.length > 0 || kind.length > 0 || Object.values(rest).some(Boolean);
}
