/** The query of the contract list in the URL, with the API's own parameter names. */
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
import { columnOfKey, hasBounds, keyIn } from "#lib/custom-fields/catalogue.ts";
import type { CustomField } from "#lib/custom-fields/schema.ts";
import type { InputOf } from "#lib/doors/client.ts";

const contractParsers = {
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
  /** Where to search for q: in titles and counterparties, or in the text of documents. */
  in: parseAsStringLiteral(["titles", "documents"]).withDefault("titles"),
};

/**
 * Returns the parsers including the workspace's custom fields: filters named `customFields.<key>`, `…From`
 * and `…To`, sort keys, and the visible columns. Custom fields in the URL that no longer exist are ignored.
 */
export function contractParsersWith(fields: CustomField[]) {
  const keys = fields.map(({ key }) => key);
  const names = fields.flatMap(({ key, type }) =>
    hasBounds(type) ? [key, `${key}From`, `${key}To`] : [key],
  );
  const filters = names.map((name) => [columnOfKey(name), parseAsNativeArrayOf(parseAsString)] as const);
  return {
    ...contractParsers,
    ...Object.fromEntries(filters),
    columns: parseAsNativeArrayOf(parseAsStringLiteral(keys)),
    sort: parseAsStringLiteral([...contractSorts, ...keys.map(columnOfKey)]).withDefault("lastActivityAt"),
  };
}

export type ContractSearch = inferParserType<ReturnType<typeof contractParsersWith>>;

export const loadContractSearch = (fields: CustomField[]) => createLoader(contractParsersWith(fields));

/** Serializes the query string of a link to the list, without custom fields. */
export const contractSearchQuery = createSerializer(contractParsers);

/** Returns the serializer of the list's query string, with custom fields. */
export const contractSearchQueryWith = (fields: CustomField[]) =>
  createSerializer(contractParsersWith(fields));

/** Returns the active filters by custom fields, keyed by `<key>`, `<key>From` and `<key>To`. */
export function fieldFilters(search: ContractSearch): Record<string, string[]> {
  const filters = Object.entries(search).flatMap(([name, value]) => {
    const key = keyIn(name);
    return key !== undefined && Array.isArray(value) && value.length > 0 ? [[key, value as string[]]] : [];
  });
  return Object.fromEntries(filters);
}

/** Returns the change that clears all filters. */
export function noFiltersOf(search: ContractSearch) {
  const ofFields = Object.keys(fieldFilters(search)).map((key) => [columnOfKey(key), null] as const);
  return { ...noContractFilters, ...Object.fromEntries(ofFields) };
}

/** The built-in filters, cleared. */
const noContractFilters = {
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

/** Returns the query for clauses, with the same filters. */
export function clauseQuery(search: ContractSearch): InputOf<"search.clauses"> {
  return { q: search.q.trim(), ...filtersOf(search) };
}

function filtersOf(search: ContractSearch) {
  const customFields = fieldFilters(search);
  return { ...builtInFilters(search), ...(Object.keys(customFields).length > 0 ? { customFields } : {}) };
}

function builtInFilters({
  q: _,
  sort: _sort,
  dir: _dir,
  page: _page,
  in: _in,
  columns: _columns,
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
    ...Object.fromEntries(Object.entries(rest).filter(([name, value]) => value && keyIn(name) === undefined)),
  };
}

export function hasFilters(search: ContractSearch): boolean {
  return search.q !== "" || Object.keys(filtersOf(search)).length > 0;
}
