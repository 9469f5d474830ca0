import { z } from "zod";
import { alongsideFieldIssues, choice, dayIn, idIn, idOut, timestamp, wholeNumber } from "#lib/core/wire.ts";
import { auditActions, auditWays } from "./lifecycle.ts";

const Changes = z.record(z.string(), z.object({ from: z.json(), to: z.json() }));

export const AuditPayload = z.object({
  target: z.object({ type: z.string(), id: z.string() }),
  changes: Changes.nullable(),
  reason: z.string().nullable(),
  ip: z.string().nullable(),
  userAgent: z.string().nullable(),
  requestId: z.string().nullable(),
  actor: z
    .object({
      kind: z.enum(["SIGNER", "SYSTEM"]),
      id: z.string().nullable(),
      name: z.string().optional().meta({ description: "Of a signer" }),
      email: z.string().optional().meta({ description: "Of a signer" }),
    })
    .nullable()
    .meta({ description: "Who acted, if it was neither a member nor a key" }),
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
    assistant: z
      .object({ id: idOut("assistantGrant"), name: z.string() })
      .nullable()
      .meta({
        description: "The connected assistant through which the member acted; null where there was none",
      }),
    contract: z.object({ id: idOut("contract"), title: z.string() }).nullable(),
    payload: AuditPayload,
  })
  .meta({
    id: "AuditEvent",
    description: "One thing that happened, with the names as they were at that time. Never changes.",
  });

export const AuditQuery = z
  .object({
    action: z.array(choice(auditActions)).optional().meta({ description: "One or more actions" }),
    actorId: idIn("user").optional().meta({ description: "Actions by this member's user id" }),
    apiKeyId: idIn("apiKey").optional().meta({ description: "Actions taken with this key" }),
    via: choice(auditWays).optional().meta({
      description: "api: by any API key; assistant: by a member's assistant; user: by a signed-in member",
    }),
    contractId: idIn("contract").optional(),
    from: dayIn.optional().meta({ description: "First day, inclusive, UTC" }),
    to: dayIn.optional().meta({ description: "Last day, inclusive, UTC" }),
    limit: wholeNumber("must be a whole number of at least 1", 200)
      .default(50)
      .meta({ description: "Rows per page; values above 200 are clamped to 200" }),
    cursor: z.string().max(500).optional().meta({ description: "nextCursor of the previous page" }),
  })
  .refine(({ from, to }) => !from || !to || from <= to, {
    ...alongsideFieldIssues,
    path: ["from"],
    error: "must not be after to",
  });
export type AuditQuery = z.output<typeof AuditQuery>;

export const AuditFeed = z.object({
  data: z.array(AuditEvent),
  nextCursor: z.string().nullable().meta({ description: "Null on the last page" }),
});
