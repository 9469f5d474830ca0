/** What assistants may do, in plain words. */
import type { AssistantScope } from "#lib/core/scopes.ts";

export const scopeWords: Record<AssistantScope, string> = {
  "contracts:read": "Contracts and their documents",
  "contracts:write": "Create and change contracts",
  "counterparties:read": "Counterparties and contacts",
  "counterparties:write": "Create and change counterparties and contacts",
  "obligations:read": "Obligations and their dates",
  "obligations:write": "Create, change and complete obligations",
  "templates:read": "Templates",
  "analytics:read": "Totals and charts",
  "signatures:read": "Signature requests and their progress",
  "audit:read": "The audit log",
  "search:read": "Search inside documents",
};

export const isReading = (scope: AssistantScope) => scope.endsWith(":read");
