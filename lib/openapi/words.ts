/** What the API description says in prose. */
import type { PublicErrorCode } from "#lib/core/errors.ts";
import { idPrefixes } from "#lib/core/ids.ts";
import type { Namespace } from "#lib/operations.ts";
import type { JsonSchema } from "./schemas.ts";

export const introduction = `Countersign manages a workspace's contracts: their versions, counterparties, obligations, templates, signature requests, members and history.

**Key.** Send it as \`x-api-key\`. It belongs to one workspace and has scopes; an operation requires all the scopes that it lists (\`x-required-scopes\`).

**Ids** are opaque strings: a prefix, \`_\`, and 26 characters that sort by time. An id of another workspace is treated as unknown: 404 in a path, 422 in a body.

**Timestamps** are returned as ISO 8601 in UTC with milliseconds. They are accepted with any offset, or as a plain date, which means midnight UTC. Date arithmetic is on UTC calendar days.

**Money** is \`valueCents\`, a string of minor units, with \`valueCurrency\`, ISO 4217.

**Fields.** Every field is always present; one without a value is null. In a PATCH, omitted fields are left unchanged, and null clears a field. Unknown fields of a body are refused; unknown query parameters are ignored.

**Lists.** Paged lists take \`page\`, starting at 1, and return \`total\` and \`pageCount\`; a page past the end is empty. The audit log has a cursor: follow \`nextCursor\` until it is null. A response with \`data\` alone is complete. Array parameters repeat: \`status=DRAFT&status=ACTIVE\`, or \`status[]=DRAFT\`.

**Errors** are always \`{"error": {"code", "message", "details"}}\`. Decide by \`code\`; \`message\` is for people; \`details.issues\` names each wrong field of a 422. An unknown path is 404 \`not_found\`, a known one with another method 405 \`method_not_allowed\`. Checked in this order: path and method, key, rate, subscription, scope, size and media type, JSON, fields, existence, permission, state.

**Retries.** Send an \`Idempotency-Key\` with each POST: for 24 hours the same key gets the first response again (\`Idempotent-Replayed: true\`) and nothing happens twice. Secrets are not repeated.

**Files** go in as base64 in JSON, or as \`multipart/form-data\` with a part \`file\` and a part \`data\` that holds the rest as JSON. They are PDF or DOCX by their bytes, of at most 52,428,800 bytes; a larger file gets 413 before all of it is read.

**Rate limit.** Each response to a valid key says what is left in \`RateLimit\` and \`X-RateLimit-*\`; 429 adds \`Retry-After\`.

**ETags.** Reads carry one. \`If-None-Match\` gets 304 while nothing changed; \`If-Match\` on PATCH and PUT gets 412 if the resource has changed since.

**Webhooks** follow Standard Webhooks: check \`webhook-signature\`, answer 2xx within 15 seconds, and ignore a repeated event \`id\`.

**Versions.** v1 only gains fields, enum values, operations and event types: ignore what you do not know. A deprecated operation says so here, and in \`Deprecation\` and \`Sunset\` headers, for at least 12 months.`;

export const tags: Record<Namespace, { name: string; description: string }> = {
  me: { name: "Key", description: "The calling key, and this description." },
  contracts: { name: "Contracts", description: "Agreements, from draft to expiry." },
  versions: {
    name: "Document versions",
    description: "The documents of a contract, PDF or DOCX, numbered from 1.",
  },
  counterparties: { name: "Counterparties", description: "The other parties to contracts." },
  contacts: { name: "Contacts", description: "People at a counterparty." },
  obligations: {
    name: "Obligations",
    description: "What is due and when, with dates computed from the contract's own.",
  },
  templates: { name: "Templates", description: "Documents that contracts are created from. Read-only." },
  signatures: {
    name: "Signature requests",
    description: "Also called envelopes. Read-only: sending one is a human action, in the web app.",
  },
  members: { name: "Members", description: "The people of the workspace and their roles." },
  invitations: { name: "Invitations", description: "People who were invited to join the workspace." },
  webhookEndpoints: {
    name: "Webhook endpoints",
    description: "Where the workspace's events are sent, and the result of each delivery.",
  },
  auditEvents: { name: "Audit log", description: "What happened, by whom. Append-only and hash-chained." },
  analytics: { name: "Analytics", description: "The workspace in numbers." },
};

export const webhookTag = {
  name: "Webhooks",
  description: "What the service sends to the workspace's endpoints.",
};

export const meaningOf: Record<PublicErrorCode, string> = {
  invalid_body: "The body is not JSON.",
  missing_api_key: "No x-api-key was sent.",
  invalid_api_key: "The key is unknown, revoked or expired.",
  subscription_inactive: "The workspace's subscription is not active.",
  seat_limit_reached: "All seats of the workspace are taken.",
  insufficient_scope: "The key lacks a scope; the message names it.",
  forbidden: "Not allowed with this key, or not with this role.",
  not_found: "There is no such resource in this workspace.",
  method_not_allowed: "The path does not support this method; Allow lists those it supports.",
  invalid_transition: "The status cannot be reached from the current one; the message lists those that can.",
  duplicate_document: "The same document already exists.",
  signed_pdf_not_ready: "There is no signed PDF yet.",
  unsigned_pdf_not_ready: "There is no unsigned PDF yet.",
  already_member: "The address belongs to a member.",
  already_invited: "The address has a pending invitation.",
  last_owner: "The workspace would have no owner.",
  approval_needed: "Approvals of the contract are missing: the message names whose.",
  envelope_open: "A signature request of the contract is open.",
  idempotency_key_reused: "The Idempotency-Key was used before with another body.",
  idempotency_in_progress: "A request with this Idempotency-Key is still running.",
  conflict: "Someone else changed the resource at the same time. Read it and try again.",
  precondition_failed: "The resource has changed since the ETag in If-Match.",
  file_too_large: "The file, or the body, is too large.",
  unsupported_media_type: "The content type is not supported here.",
  range_not_satisfiable: "The file does not have the requested bytes.",
  validation_error: "The input is not valid; details.issues names each field.",
  rate_limited: "Too many requests; Retry-After says when to try again.",
  internal_error: "Something went wrong on our side; the message says whether anything may have changed.",
  unavailable: "The service cannot answer right now. Try again.",
};

const parameters: Record<string, string> = {
  memberId: "The membership's id, not the user's",
  page: "The page number, starting at 1",
  sort: "The field to sort by",
  dir: "The sort direction",
};

const kinds = new Map<string, string>(
  Object.entries(idPrefixes).map(([kind, prefix]) => [prefix, inWords(kind)]),
);

function inWords(name: string): string {
  return name.replaceAll(/([A-Z])/g, " $1").toLowerCase();
}

/** What a parameter means, where its schema does not say. */
export function meaningOfParameter(name: string, schema: JsonSchema, where: "path" | "query"): string {
  if (parameters[name]) return parameters[name];
  const kind = kinds.get(String(schema.examples?.[0]).split("_", 1)[0]!);
  if (kind) return where === "path" ? `The id of the ${kind}` : `Filter by ${kind}`;
  const [, date, end] = /^(.+)(From|To)$/.exec(name) ?? [];
  if (date) return `${end === "From" ? "Earliest" : "Latest"} ${inWords(date)} date, inclusive`;
  return `Filter by ${inWords(name)}${schema.type === "array" ? "; repeat for several" : ""}`;
}
