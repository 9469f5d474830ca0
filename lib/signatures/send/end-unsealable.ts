/** Ends a request that everyone has signed but that cannot be sealed, as voiding does. */
import { change } from "#lib/core/change.ts";
import type { Context } from "#lib/core/context.ts";
import { Refusal } from "#lib/core/errors.ts";
import { whyNot } from "#lib/core/lifecycle.ts";
import type { Voiding } from "#lib/signatures/draft/schema.ts";
import { endRequest } from "#lib/signatures/endings.ts";
import { type EnvelopeStatus, envelopeLifecycle } from "#lib/signatures/lifecycle.ts";
import { lockRow, requireSender } from "#lib/signatures/rows.ts";

/** Takes the request's lock, as the sealing job does: a request is either sealed or ended, never both. */
export async function endUnsealable(ctx: Context, { envelopeId, reason }: Voiding): Promise<void> {
  const { name } = requireSender(ctx);
  if (ctx.actor.kind !== "user" || !["owner", "admin"].includes(ctx.actor.role)) {
    throw new Refusal(
      "forbidden",
      "Everyone has signed this request: only an owner or admin of the workspace can end it.",
    );
  }
  await change(ctx, async (tx, record) => {
    const row = await lockRow(tx, ctx, envelopeId);
    const status = row.status as EnvelopeStatus;
    if (status === "SEALING" && row.sealError !== null) {
      const action = "SIGNATURE_REQUEST_ENDED";
      return endRequest(tx, ctx, record, row, { status: "VOIDED", by: name, reason, action });
    }
    const why = {
      SEALING: "It is being sealed. It can be ended once that has failed.",
      SENT: "It is out for signature: void it instead.",
      PARTIALLY_SIGNED: "It is out for signature: void it instead.",
    }[status as string];
    throw new Refusal("invalid_transition", why ?? whyNot(envelopeLifecycle, status, "VOIDED"));
  });
}
