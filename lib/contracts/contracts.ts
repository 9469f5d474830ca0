/** Contracts: made, changed, moved through their lifecycle. */
import { changeInOneStatement } from "#lib/core/change.ts";
import type { Context } from "#lib/core/context.ts";
import { Refusal } from "#lib/core/errors.ts";
import { newId } from "#lib/core/ids.ts";
import { canMove, whyNot } from "#lib/core/lifecycle.ts";
import { type ContractStatus, contractLifecycle } from "./lifecycle.ts";
import type { ContractRow } from "./rows.ts";
import type { ContractPatch, NewContract } from "./schema.ts";
import { type Fields, parties, unknownParties, updateContract, type Written, withParties } from "./update.ts";

/** The template that a contract is made from, as it was at that moment. */
export interface Origin {
  templateId: string;
  templateRevision: number;
}

/** Makes a contract, in DRAFT. */
export async function createContract(
  ctx: Context,
  input: Omit<NewContract, "document" | "allowDuplicate">,
  origin?: Origin,
): Promise<ContractRow> {
  const id = newId("contract");
  const now = ctx.now.toISOString();
  const fields = { ...fieldsOf(input), templateId: origin?.templateId ?? null };
  const contractFrom = (written: Written) => withParties(newRow(id, input.ownerId, fields, now), written);
  const made = await changeInOneStatement<Written>(
    ctx,
    `${parties},
     made AS (
       INSERT INTO contracts (organization_id, id, owner_id, counterparty_id, title, type, our_role,
         effective_date, executed_at, term_months, auto_renews, renewal_months, value_cents, value_currency,
         last_activity_at, status_changed_at, created_at, updated_at, template_id, template_revision)
       SELECT $1::text, $4::text, $2::text, $3::text, $5::text, $6::text, $7::text,
         $8::timestamptz, $9::timestamptz, $10::int, $11::boolean, $12::int, $13::bigint,
         COALESCE($14::text, CASE WHEN $13::bigint IS NOT NULL THEN currency END),
         $15::timestamptz, $15::timestamptz, $15::timestamptz, $15::timestamptz, $16::text, $17::int
       FROM parties WHERE "isActive"
       RETURNING expires_at::text AS "expiresOn", value_currency AS "valueCurrency"),
     written AS (SELECT * FROM parties, made)`,
    [
      ctx.organizationId,
      input.ownerId,
      input.counterpartyId ?? null,
      id,
      input.title,
      input.type,
      input.ourRole,
      input.effectiveDate?.toISOString() ?? null,
      input.executedAt?.toISOString() ?? null,
      input.termMonths ?? null,
      input.autoRenews ?? false,
      input.renewalMonths ?? null,
      fields.valueCents ?? null,
      fields.valueCurrency ?? null,
      now,
      origin?.templateId ?? null,
      origin?.templateRevision ?? null,
    ],
    { action: "CONTRACT_CREATED", target: { type: "contract", id }, contract: { id, title: input.title } },
    (written) => ({ contract: contractFrom(written) }),
  );
  if (!made) throw await unknownParties(ctx, input.ownerId, input.counterpartyId ?? null);
  return contractFrom(made);
}

function newRow(id: string, ownerId: string, fields: Fields, now: string): ContractRow {
  return {
    ...emptyContract,
    ...fields,
    id,
    ownerId,
    status: "DRAFT",
    lastActivityAt: now,
    statusChangedAt: now,
    createdAt: now,
    updatedAt: now,
    revision: 1,
  } as ContractRow;
}

const emptyContract = {
  counterpartyId: null,
  effectiveDate: null,
  executedAt: null,
  termMonths: null,
  autoRenews: false,
  renewalMonths: null,
  valueCents: null,
  templateId: null,
};

/** Changes what a PATCH names. Dates move the obligations with them. */
export async function patchContract(ctx: Context, { id, ...patch }: ContractPatch): Promise<ContractRow> {
  return updateContract(ctx, id, () => ({ fields: fieldsOf(patch), action: "CONTRACT_UPDATED" }));
}

/** Sets the dates and the term that obligations are counted from. */
export async function setAnchors(ctx: Context, { id, ...anchors }: ContractPatch): Promise<void> {
  await updateContract(ctx, id, () => ({ fields: fieldsOf(anchors), action: "CONTRACT_ANCHORS_CHANGED" }));
}

export async function setCounterparty(
  ctx: Context,
  { id, counterpartyId }: { id: string; counterpartyId: string },
): Promise<ContractRow> {
  return updateContract(ctx, id, () => ({
    fields: { counterpartyId },
    action: "CONTRACT_COUNTERPARTY_CHANGED",
  }));
}

/** Moves a contract to another status, by hand. Of two moves at the same time one is refused. */
export async function moveContract(
  ctx: Context,
  { id, next, reason }: { id: string; next: ContractStatus; reason?: string | null },
): Promise<ContractRow> {
  let first: ContractStatus | undefined;
  return updateContract(ctx, id, (before) => {
    if (first !== undefined && before.status !== first) {
      throw new Refusal(
        "conflict",
        `Somebody else has just changed this contract's status to ${before.status}.`,
      );
    }
    first = before.status;
    if (!canMove(contractLifecycle, before.status, next)) {
      throw new Refusal("invalid_transition", whyNot(contractLifecycle, before.status, next));
    }
    return { fields: movedFields(before, next, ctx), action: "CONTRACT_STATUS_CHANGED", reason };
  });
}

/** Sends a contract out for signature, for the signature request that does so. Answers what it was before. */
export async function sendContractOut(ctx: Context, id: string): Promise<ContractStatus> {
  let from: ContractStatus = "DRAFT";
  await updateContract(ctx, id, (before) => {
    from = before.status;
    const next = "OUT_FOR_SIGNATURE";
    if (from === next) {
      throw new Refusal(
        "envelope_open",
        "Another signature request of this contract is out for signature. Void it first.",
      );
    }
    if (!canMove(contractLifecycle, from, next, "system")) {
      const why = contractLifecycle[from].why ?? "";
      throw new Refusal(
        "invalid_transition",
        `A contract that is ${from} cannot be sent for signature. ${why}`.trim(),
      );
    }
    return { fields: movedFields(before, next, ctx), action: "CONTRACT_STATUS_CHANGED" };
  });
  return from;
}

/** Moves a contract as its signature request goes: on if it still is `from`, and else it stays where it is. */
export async function moveContractOn(
  ctx: Context,
  id: string,
  { from, next, reason }: { from: ContractStatus; next: ContractStatus; reason: string | null },
): Promise<void> {
  await updateContract(ctx, id, (before) => {
    const moves = before.status === from && canMove(contractLifecycle, from, next, "system");
    const fields = moves ? movedFields(before, next, ctx) : {};
    return { fields, action: "CONTRACT_STATUS_CHANGED", reason };
  });
}

function movedFields(before: ContractRow, next: ContractStatus, ctx: Context): Fields {
  const now = ctx.now.toISOString();
  const executed = next === "EXECUTED" && before.executedAt === null ? { executedAt: now } : {};
  return { status: next, statusChangedAt: now, ...executed };
}

/** What was given, in wire form; what was not is left out. */
function fieldsOf(input: Partial<NewContract>): Fields {
  const { effectiveDate, executedAt, valueCents, ...rest } = input;
  const fields: Fields = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
  if (effectiveDate !== undefined) fields.effectiveDate = effectiveDate?.toISOString() ?? null;
  if (executedAt !== undefined) fields.executedAt = executedAt?.toISOString() ?? null;
  if (valueCents !== undefined) fields.valueCents = valueCents?.toString() ?? null;
  if (valueCents === null) fields.valueCurrency = null;
  return fields;
}
