import type { z } from "zod";
import { AuditQuery } from "#lib/audit/schema.ts";
import { CommentExport } from "#lib/comments/schema.ts";
import { ContractQuery } from "#lib/contracts/schema.ts";
import type { PeopleScope, Scope } from "#lib/core/scopes.ts";

/** What can be downloaded as a table: by its file's name, who may, and the filter, which is the list's own. */
export const exports = {
  "contracts.csv": { scopes: ["contracts:read", "data:export"], query: ContractQuery },
  "comments.csv": { scopes: ["contracts:read", "data:export"], query: CommentExport },
  "audit-events.csv": { scopes: ["audit:read", "data:export"], query: AuditQuery },
} as const satisfies Record<string, { scopes: readonly (Scope | PeopleScope)[]; query: z.ZodObject }>;

export type ExportName = keyof typeof exports;
