/** What the list of contracts is asked for, as it stands in the address: the API's own names. */
import {
  createLoader,
  createSerializer,
  type inferParserType,
  parseAsInteger,
  parseAsNativeArrayOf,
  parseAsString,
  parseAsStringLiteral,
} from "nuqs/server";
import { contractSorts, contractStatuses, contractTypes, ourRoles } from "#lib/contracts/lifecycle.ts";
import type { InputOf } from "#lib/doors/client.ts";

export const contractParsers = {
  q: parseAsString.withDefault(""),
  status: parseAsNativeArrayOf(parseAsStringLiteral(contractStatuses)),
  type: parseAsNativeArrayOf(parseAsStringLiteral(contractTypes)),
  ourRole: parseAsNativeArrayOf(parseAsStringLiteral(ourRoles)),
  valueCurrency: parseAsNativeArrayOf(parseAsString),
  ownerId: parseAsString,
  counterpartyId: parseAsString,
  tag: parseAsNativeArrayOf(parseAsString),
  archived: parseAsStringLiteral(["true", "any"]),
  effectiveFrom: parseAsString,
  effectiveTo: parseAsString,
  expiresFrom: parseAsString,
  expiresTo: parseAsString,
  sort: parseAsStringLiteral(contractSorts).withDefault("lastActivityAt"),
  dir: parseAsStringLiteral(["desc", "asc"]).withDefault("desc"),
  page: parseAsInteger.withDefault(1),
  /** Where q is looked for: in titles and counterparties, or in what documents say. */
  in: parseAsStringLiteral(["titles", "documents"]).withDefault("titles"),
};

export type ContractSearch = inferParserType<typeof contractParsers>;

export const loadContractSearch = createLoader(contractParsers);

/** The query of a link to the list. */
export const contractSearchQuery = createSerializer(contractParsers);

/** The filters alone, all let through. */
export const noContractFilters = {
  q: null,
  status: null,
  type: null,
  ourRole: null,
  valueCurrency: null,
  ownerId: null,
  counterpartyId: null,
  tag: null,
  archived: null,
  effectiveFrom: null,
  effectiveTo: null,
  expiresFrom: null,
  expiresTo: null,
  page: null,
} as const;

export function contractQuery(search: ContractSearch): InputOf<"contracts.list"> {
  const { q, sort, dir, page } = search;
  return { ...(q ? { q } : {}), ...filtersOf(search), sort, dir, page: Math.max(1, page) };
}

/** What clauses are asked for, by the same filters. */
export function clauseQuery(search: ContractSearch): InputOf<"search.clauses"> {
  return { q: search.q.trim(), ...filtersOf(search) };
}

function filtersOf({
  q: _,
  sort: _sort,
  dir: _dir,
  page: _page,
  in: _in,
  status,
  type,
  ourRole,
  valueCurrency,
  tag,
  ...rest
}: ContractSearch) {
  return {
    ...(status.length > 0 ? { status } : {}),
    ...(type.length > 0 ? { type } : {}),
    ...(ourRole.length > 0 ? { ourRole } : {}),
    ...(valueCurrency.length > 0 ? { valueCurrency } : {}),
    ...(tag.length > 0 ? { tag } : {}),
    ...Object.fromEntries(Object.entries(rest).filter(([, value]) => value)),
  };
}

export function hasFilters(search: ContractSearch): boolean {
  return search.q !== "" || Object.keys(filtersOf(search)).length > 0;
}
