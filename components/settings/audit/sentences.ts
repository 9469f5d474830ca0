/** Describes audit events in plain sentences. */
import { moneyText } from "#components/money.tsx";
import { inWords } from "#components/words.ts";
import type { AuditAction } from "#lib/audit/lifecycle.ts";
import type { OutputOf } from "#lib/doors/client.ts";

export type AuditEvent = OutputOf<"auditEvents.list">["data"][number];

/** The predicate of a sentence that begins with the actor. `%` stands for the contract. */
type Phrase = string | ((event: AuditEvent) => string);

/** Stands for a literal "%" in a name or an address. Stored text never contains this character. */
const percent = "\0";

/** Returns a field's new value as text, or null if it has none. */
function to({ payload }: AuditEvent, field: string): string | null {
  return inPhrase(payload.changes?.[field]?.to);
}

function from({ payload }: AuditEvent, field: string): string | null {
  return inPhrase(payload.changes?.[field]?.from);
}

function inPhrase(value: unknown): string | null {
  if (typeof value === "number") return String(value);
  return typeof value === "string" && value !== "" ? value.replaceAll("%", percent) : null;
}

const lower = (value: string) => inWords(value).toLowerCase();
const quoted = (value: string | null) => (value === null ? "" : ` “${value}”`);
const named = (event: AuditEvent) => quoted(to(event, "name"));
const titled = (event: AuditEvent) => quoted(to(event, "title"));

const fieldCount = ({ payload }: AuditEvent) => Object.keys(payload.changes ?? {}).length;

const phrases: Record<AuditAction, Phrase> = {
  CONTRACT_CREATED: "created the contract %",
  CONTRACT_UPDATED: "updated %",
  CONTRACT_STATUS_CHANGED: (event) => {
    const status = to(event, "status");
    return status ? `moved % to ${lower(status)}` : "moved % to another status";
  },
  CONTRACT_COUNTERPARTY_CHANGED: "changed the counterparty of %",
  CONTRACT_ANCHORS_CHANGED: "changed the dates of %",
  CONTRACT_RENEWED: "renewed %",
  CONTRACT_ARCHIVED: "archived %",
  CONTRACT_UNARCHIVED: "unarchived %",
  CONTRACT_DELETED: "deleted the draft %",
  VERSION_UPLOADED: "uploaded a version of %",
  VERSION_GENERATED: "generated a version of %",
  VERSION_DOWNLOADED: "downloaded a version of %",
  COUNTERPARTY_CREATED: (event) => `created the counterparty${named(event)}`,
  COUNTERPARTY_UPDATED: (event) => `updated the counterparty${named(event)}`,
  COUNTERPARTY_NOTES_UPDATED: "updated the notes on a counterparty",
  CONTACT_CREATED: (event) => `added the contact${named(event)}`,
  CONTACT_UPDATED: (event) => `updated the contact${named(event)}`,
  CONTACT_DELETED: (event) => `deleted the contact${quoted(from(event, "name"))}`,
  OBLIGATION_CREATED: (event) => `added the obligation${titled(event)} to %`,
  OBLIGATION_UPDATED: (event) =>
    fieldCount(event) > 0 ? "updated an obligation of %" : "saved an obligation of %",
  OBLIGATION_COMPLETED: "completed an obligation of %",
  OBLIGATION_WAIVED: "waived an obligation of %",
  OBLIGATION_PROPOSED: (event) => `found the obligation${titled(event)} in the document of %`,
  OBLIGATION_ACCEPTED: "accepted an obligation found in the document of %",
  OBLIGATION_REJECTED: "rejected an obligation found in the document of %",
  CONTRACT_DATE_REJECTED: "rejected a date found in the document of %",
  TEMPLATE_CREATED: (event) => `created the template${named(event)}`,
  TEMPLATE_UPDATED: (event) => `updated the template${named(event)}`,
  TEMPLATE_ARCHIVED: "archived a template",
  TEMPLATE_RESTORED: "restored a template",
  SIGNATURE_REQUEST_CREATED: "created a signature request for %",
  SIGNATURE_REQUEST_SENT: "sent % for signature",
  SIGNATURE_REQUEST_VIEWED: "opened % to sign it",
  SIGNATURE_REQUEST_SIGNED: "signed %",
  SIGNATURE_REQUEST_DECLINED: "declined to sign %",
  SIGNATURE_REQUEST_DELEGATED: "asked someone else to sign %",
  SIGNATURE_REQUEST_VOIDED: "voided the signature request for %",
  SIGNATURE_REQUEST_ENDED: "ended the signature request for %, which could not be sealed",
  SIGNATURE_REQUEST_EXPIRED: "marked the signature request for % as expired",
  SIGNATURE_REQUEST_COMPLETED: "completed and sealed %",
  SIGNATURE_REQUEST_REMINDED: "reminded a signer of %",
  SIGNATURE_REQUEST_SIGNER_CORRECTED: (event) =>
    `corrected the signer${quoted(to(event, "name"))} of the signature request for %`,
  SIGNATURE_REQUEST_DEADLINE_CHANGED: "changed the deadline of the signature request for %",
  SIGNATURE_REQUEST_LINK_COPIED: (event) => `copied the signing link of${quoted(to(event, "signer"))} for %`,
  SIGNATURE_PDF_DOWNLOADED: "downloaded the signed PDF of %",
  MEMBER_INVITED: (event) => {
    const email = to(event, "email");
    return email ? `invited ${email}` : "resent an invitation";
  },
  INVITATION_ACCEPTED: (event) => `joined the workspace as ${to(event, "role") ?? "member"}`,
  INVITATION_REVOKED: (event) => `revoked the invitation of ${from(event, "email") ?? "someone"}`,
  MEMBER_ROLE_CHANGED: (event) =>
    `changed a role from ${from(event, "role") ?? "none"} to ${to(event, "role") ?? "none"}`,
  MEMBER_REMOVED: (event) => `removed a ${from(event, "role") ?? "member"}`,
  API_KEY_CREATED: (event) => `created the API key${named(event)}`,
  API_KEY_REVOKED: (event) => `revoked the API key${quoted(from(event, "name"))}`,
  WEBHOOK_ENDPOINT_CREATED: (event) => `added the webhook endpoint ${to(event, "url") ?? ""}`,
  WEBHOOK_ENDPOINT_UPDATED: "updated a webhook endpoint",
  WEBHOOK_ENDPOINT_DISABLED: "disabled a webhook endpoint",
  WEBHOOK_ENDPOINT_DELETED: (event) => `deleted the webhook endpoint ${from(event, "url") ?? ""}`,
  WEBHOOK_SECRET_ROTATED: "rotated the secret of a webhook endpoint",
  WEBHOOK_REDELIVERED: "resent webhooks",
  USER_SIGNED_IN: "signed in",
  USER_SIGN_IN_FAILED: "failed to sign in",
  WORKSPACE_UPDATED: ({ payload }) =>
    payload.target.type === "member" ? "changed their name" : "updated the workspace's settings",
  SUBSCRIPTION_CHANGED: "changed the plan",
  DATA_EXPORTED: ({ payload }) => {
    const rows = payload.changes?.rows?.to;
    const what = payload.target.type.replaceAll("_", " ");
    return typeof rows === "number" ? `exported ${what} (${rows} rows)` : `exported ${what}`;
  },
  DATA_IMPORTED: "imported data",
  MEMBER_ADDED: (event) => `added a member as ${to(event, "role") ?? "member"}`,
  MEMBER_UPDATED: (event) => `changed their name to${named(event)}`,
  PASSWORD_CHANGED: "changed their password",
  WORKSPACE_CREATED: (event) => `created the workspace${named(event)}`,
  ASSISTANT_CONNECTED: (event) => `connected the assistant${named(event)}`,
  ASSISTANT_REVOKED: (event) => `disconnected the assistant${quoted(from(event, "name"))}`,
  ASSISTANT_POLICY_CHANGED: "changed what assistants may do",
  COMMENT_ADDED: "commented on %",
  COMMENT_EDITED: "edited a comment on %",
  COMMENT_RESOLVED: (event) =>
    event.payload.changes?.resolved?.to === false ? "reopened a thread of %" : "resolved a thread of %",
  COMMENT_DELETED: "deleted a comment on %",
  APPROVAL_REQUESTED: "requested approval of %",
  APPROVAL_GIVEN: "approved %",
  APPROVAL_REFUSED: "sent back %",
  APPROVAL_DELEGATED: "delegated an approval of %",
  APPROVAL_WITHDRAWN: "withdrew the request for approval of %",
  APPROVAL_RULES_CHANGED: (event) => {
    const rule = to(event, "rule");
    if (rule === null) return `deleted the approval rule${quoted(from(event, "rule"))}`;
    return `${from(event, "rule") === null ? "added" : "changed"} the approval rule${quoted(rule)}`;
  },
  CUSTOM_FIELD_CREATED: (event) => `created the custom field${named(event)}`,
  CUSTOM_FIELD_UPDATED: (event) =>
    to(event, "name") ? `renamed a custom field to${named(event)}` : "changed the options of a custom field",
  CUSTOM_FIELD_DELETED: (event) => `deleted the custom field${quoted(from(event, "name"))}`,
  NOTIFICATION_DEFAULTS_CHANGED: "changed the notification defaults",
  AUDIT_CHECKPOINT_SIGNED: (event) =>
    `signed a checkpoint of the audit log at event ${to(event, "seq") ?? ""}`,
};

/** Returns the predicate before and after the contract; the second part is null if it mentions none. */
export function sentenceOf(event: AuditEvent): [before: string, after: string | null] {
  const phrase = phrases[event.action];
  const text = typeof phrase === "string" ? phrase : phrase(event);
  const [before = "", after] = text.split("%").map((part) => part.replaceAll(percent, "%"));
  return [before, after ?? null];
}

/** Returns the complete sentence as text. */
export function sentenceText(event: AuditEvent): string {
  const [before, after] = sentenceOf(event);
  return `${actorOf(event)} ${before}${after === null ? "" : (event.contract?.title ?? "a contract") + after}`;
}

/** Returns the name of the actor. */
export function actorOf({ actor, apiKey, assistant, payload }: AuditEvent): string {
  if (actor) return assistant ? `${actor.name}, via ${assistant.name},` : actor.name;
  if (apiKey) return apiKey.name;
  return payload.actor?.kind === "SIGNER" ? (payload.actor.name ?? "A signer") : "Countersign";
}

/**
 * The fields whose values are enumeration values of the API; some are themselves named after one. Other text
 * stays as it is.
 */
const enumerated =
  /^([A-Z_]+|contractType|ourRole|status|type|kind|anchorType|offset(Unit|Direction)|relationshipTypes)$/;

/** Returns a changed value as text, or null if there is none. */
export function valueText(field: string, value: unknown): string | null {
  if (value === null || value === undefined || value === "") return null;
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value) && value.every((item) => typeof item === "string"))
    return value.map((item) => valueText(field, item)).join(", ");
  if (typeof value === "object") return JSON.stringify(value, null, 2);
  const text = String(value);
  if (/^\d{4}-\d\d-\d\dT00:00:00/.test(text)) return text.slice(0, 10);
  return enumerated.test(field) && /^[A-Z_]+$/.test(text) ? inWords(text) : text;
}

/** Returns a changed amount as text. The log stores minor units; without a currency, the text says so. */
export function amountText(cents: unknown, currency: unknown): string | null {
  if (typeof cents !== "string") return null;
  return typeof currency === "string" ? moneyText(cents, currency) : `${cents} in minor units`;
}
