/** The audit log's query in the URL, with the API's parameter names. */
import {
  createLoader,
  createSerializer,
  type inferParserType,
  parseAsNativeArrayOf,
  parseAsString,
  parseAsStringLiteral,
} from "nuqs/server";
import { auditActions, auditWays } from "#lib/audit/lifecycle.ts";
import type { InputOf } from "#lib/doors/client.ts";

export const auditParsers = {
  action: parseAsNativeArrayOf(parseAsStringLiteral(auditActions)),
  actorId: parseAsString,
  apiKeyId: parseAsString,
  via: parseAsStringLiteral(auditWays),
  contractId: parseAsString,
  from: parseAsString,
  to: parseAsString,
};

export type AuditSearch = inferParserType<typeof auditParsers>;

export const loadAuditSearch = createLoader(auditParsers);
export const auditSearchQuery = createSerializer(auditParsers);

export const noAuditFilters = {
  action: null,
  actorId: null,
  apiKeyId: null,
  via: null,
  contractId: null,
  from: null,
  to: null,
} as const;

export function auditQuery({ action, ...rest }: AuditSearch): InputOf<"auditEvents.list"> {
  const given = Object.entries(rest).filter(([, value]) => value);
  return { ...(action.length > 0 ? { action } : {}), ...Object.fromEntries(given) };
}

export const hasAuditFilters = (search: AuditSearch) => Object.keys(auditQuery(search)).length > 0;
