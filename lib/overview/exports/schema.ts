import type { z } from "zod";
import { AuditQuery } from "#lib/audit/schema.ts";
import { CommentExport } from "#lib/comments/schema.ts";
import { ContractQuery } from "#lib/contracts/schema.ts";
import type { PeopleScope, Scope } from "#lib/core/scopes.ts";

/** The tables that can be downloaded, by file name: the required scopes, and the filter, which is that of the list. */
export const exports = {
  "contracts.csv": { scopes: ["contracts:read", "data:export"], query: ContractQuery },
  "comments.csv": { scopes: ["contracts:read", "data:export"], query: CommentExport },
  "audit-events.csv": { scopes: ["audit:read", "data:export"], query: AuditQuery },
} as const satisfies Record<string, { scopes: readonly (Scope | PeopleScope)[]; query: z.ZodObject }>;

export type ExportName = keyof typeof exports;
