/** Writes the history of an envelope. A trigger sets each event's number and hash. */
import { skipAudit } from "#lib/core/change.ts";
import { type Context, own } from "#lib/core/context.ts";
import type { Transaction } from "#lib/core/db.ts";
import { newId } from "#lib/core/ids.ts";
import type { SigningEventType } from "./lifecycle.ts";

type Details = Record<string, string | number | boolean | null | Record<string, string | null>>;

export interface Step {
  envelopeId: string;
  type: SigningEventType;
  signerId?: string | null;
  details?: Details | null;
}

/** Who acted; the chain hashes the keys in this order. */
export function actorOf({ actor }: Context) {
  const kinds = { user: "USER", signer: "SIGNER", api_key: "API_KEY", system: "SYSTEM" } as const;
  const person = actor.kind === "user" || actor.kind === "signer" ? actor : null;
  const name = actor.kind === "api_key" ? actor.name : (person?.name ?? null);
  return { kind: kinds[actor.kind], id: actor.id, name, email: person?.email ?? null };
}

/** Adds an event to an envelope's chain as part of a change. */
export async function addEvent(tx: Transaction, ctx: Context, step: Step): Promise<void> {
  // The chain is a history of its own: not every event in it is an action of the audit log.
  skipAudit();
  const details = step.details ? JSON.stringify(step.details) : null;
  await tx.$executeRaw`INSERT INTO signing_events
      (organization_id, id, envelope_id, signer_id, type, actor, ip_address, user_agent, details, created_at)
    VALUES (${ctx.organizationId}, ${newId("signingEvent")}, ${step.envelopeId}, ${step.signerId ?? null},
      ${step.type}, ${JSON.stringify(actorOf(ctx))}::json, ${ctx.ip}, ${ctx.userAgent}, ${details}::json,
      ${ctx.now})`;
}

/** The chain of an envelope, oldest event first. */
export async function chainOf(
  tx: { signingEvent: Pick<Transaction["signingEvent"], "findMany"> },
  ctx: Context,
  envelopeId: string,
) {
  const rows = await tx.signingEvent.findMany({
    where: { ...own(ctx), envelopeId },
    orderBy: { number: "asc" },
  });
  return rows.map(({ actor, createdAt, details, ...row }) => ({
    ...row,
    details,
    actor: actor as { kind: string; id: string | null; name: string | null; email: string | null },
    createdAt: createdAt.toISOString(),
  }));
}
