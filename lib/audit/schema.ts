import { z } from "zod";
import { choice, dayIn, idIn, idOut, timestamp, whole, withTheRest } from "#lib/wire.ts";

export const auditActions = [
  "CONTRACT_CREATED",
  "CONTRACT_UPDATED",
  "CONTRACT_STATUS_CHANGED",
  "CONTRACT_COUNTERPARTY_CHANGED",
  "CONTRACT_ANCHORS_CHANGED",
  "CONTRACT_RENEWED",
  "VERSION_UPLOADED",
  "VERSION_GENERATED",
  "VERSION_DOWNLOADED",
  "COUNTERPARTY_CREATED",
  "COUNTERPARTY_UPDATED",
  "COUNTERPARTY_NOTES_UPDATED",
  "CONTACT_CREATED",
  "CONTACT_UPDATED",
  "CONTACT_DELETED",
  "OBLIGATION_CREATED",
  "OBLIGATION_UPDATED",
  "OBLIGATION_COMPLETED",
  "OBLIGATION_WAIVED",
  "TEMPLATE_CREATED",
  "TEMPLATE_UPDATED",
  "TEMPLATE_ARCHIVED",
  "SIGNATURE_REQUEST_CREATED",
  "SIGNATURE_REQUEST_SENT",
  "SIGNATURE_REQUEST_VIEWED",
  "SIGNATURE_REQUEST_SIGNED",
  "SIGNATURE_REQUEST_DECLINED",
  "SIGNATURE_REQUEST_DELEGATED",
  "SIGNATURE_REQUEST_VOIDED",
  "SIGNATURE_REQUEST_EXPIRED",
  "SIGNATURE_REQUEST_COMPLETED",
  "SIGNATURE_REQUEST_REMINDED",
  "SIGNATURE_PDF_DOWNLOADED",
  "MEMBER_INVITED",
  "INVITATION_ACCEPTED",
  "INVITATION_REVOKED",
  "MEMBER_ROLE_CHANGED",
  "MEMBER_REMOVED",
  "API_KEY_CREATED",
  "API_KEY_REVOKED",
  "WEBHOOK_ENDPOINT_CREATED",
  "WEBHOOK_ENDPOINT_UPDATED",
  "WEBHOOK_ENDPOINT_DISABLED",
  "WEBHOOK_ENDPOINT_DELETED",
  "WEBHOOK_SECRET_ROTATED",
  "WEBHOOK_REDELIVERED",
  "USER_SIGNED_IN",
  "USER_SIGN_IN_FAILED",
  "WORKSPACE_UPDATED",
  "SUBSCRIPTION_CHANGED",
  "DATA_EXPORTED",
  "DATA_IMPORTED",
] as const;

export type AuditAction = (typeof auditActions)[number];

const Changes = z.record(z.string(), z.object({ from: z.json(), to: z.json() }));

export const AuditPayload = z.object({
  target: z.object({ type: z.string(), id: z.string() }),
  changes: Changes.nullable(),
  reason: z.string().nullable(),
  ip: z.string().nullable(),
  userAgent: z.string().nullable(),
  requestId: z.string().nullable(),
  actor: z
    .object({ kind: z.enum(["SIGNER", "SYSTEM"]), id: z.string().nullable() })
    .nullable()
    .meta({ description: "Who acted, where it was neither a member nor a key" }),
});

export const AuditEvent = z
  .object({
    id: idOut("auditEvent"),
    action: z.enum(auditActions),
    createdAt: timestamp,
    actor: z
      .object({ id: idOut("user"), name: z.string(), email: z.string() })
      .nullable()
      .meta({ description: "The member who acted; null for a key, a signer and the system" }),
    apiKey: z.object({ id: idOut("apiKey"), name: z.string() }).nullable(),
    contract: z.object({ id: idOut("contract"), title: z.string() }).nullable(),
    payload: AuditPayload,
  })
  .meta({
    id: "AuditEvent",
    description: "One thing that happened, with the names as they were when it did. Never changes.",
  });

export const AuditQuery = z
  .object({
    action: z.array(choice(auditActions)).optional().meta({ description: "One or more actions" }),
    actorId: idIn("user").optional().meta({ description: "Actions by this member's user id" }),
    apiKeyId: idIn("apiKey").optional().meta({ description: "Actions taken with this key" }),
    via: choice(["api", "user"])
      .optional()
      .meta({ description: "api: by any API key; user: by a signed-in member" }),
    contractId: idIn("contract").optional(),
    from: dayIn.optional().meta({ description: "First day, inclusive, UTC" }),
    to: dayIn.optional().meta({ description: "Last day, inclusive, UTC" }),
    limit: whole("must be a whole number of at least 1", 200)
      .default(50)
      .meta({ description: "Rows a page; above 200 counts as 200" }),
    cursor: z.string().max(500).optional().meta({ description: "nextCursor of the page before" }),
  })
  .refine(({ from, to }) => !from || !to || from <= to, {
    ...withTheRest,
    path: ["from"],
    error: "must not be after to",
  });
export type AuditQuery = z.output<typeof AuditQuery>;

export const AuditFeed = z.object({
  data: z.array(AuditEvent),
  nextCursor: z.string().nullable().meta({ description: "Null on the last page" }),
});
