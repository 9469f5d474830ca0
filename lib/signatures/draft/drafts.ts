/** Drafts: requests before they are sent. Changing one touches only its own tables and notifies nobody. */

import { findContract } from "#lib/contracts/rows.ts";
import { findVersion, listVersions } from "#lib/contracts/versions.ts";
import { change, skipAudit } from "#lib/core/change.ts";
import { type Context, own } from "#lib/core/context.ts";
import type { Transaction } from "#lib/core/db.ts";
import { invalid, invalidIfMissing, Refusal } from "#lib/core/errors.ts";
import { newId } from "#lib/core/ids.ts";
import { addEvent } from "#lib/signatures/events.ts";
import {
  auditSubject,
  type EnvelopeRow,
  envelopeFrom,
  findRow,
  lockRow,
  requireSender,
} from "#lib/signatures/rows.ts";
import { signersFrom } from "./people.ts";
import type { DraftPatch, NewDraft, NewField } from "./schema.ts";

/** Creates a draft for a version of a contract. */
export async function createDraft(ctx: Context, input: NewDraft): Promise<string> {
  const { id: createdById } = requireSender(ctx);
  const contract = await findContract(ctx, input.contractId).catch(
    invalidIfMissing({ path: "contractId", message: "is not a contract of this workspace" }),
  );
  const documentVersionId = await versionOf(ctx, contract.id, input.documentVersionId);
  const id = newId("envelope", ctx.now);
  await change(ctx, async (tx, record) => {
    await tx.envelope.create({
      data: {
        ...own(ctx),
        ...{ id, contractId: contract.id, documentVersionId, createdById },
        subject: input.subject ?? contract.title,
        message: input.message ?? null,
        deadline: input.deadline ?? null,
        ...{ createdAt: ctx.now, updatedAt: ctx.now },
      },
    });
    await addEvent(tx, ctx, { envelopeId: id, type: "CREATED" });
    const row = await findRow(ctx, id);
    record({
      action: "SIGNATURE_REQUEST_CREATED",
      ...auditSubject(row),
      resource: { envelope: envelopeFrom(row) },
    });
  });
  return id;
}

async function versionOf(ctx: Context, contractId: string, versionId: string | undefined): Promise<string> {
  const path = "documentVersionId";
  if (versionId !== undefined) {
    const version = await findVersion(ctx, { contractId, versionId }).catch(
      invalidIfMissing({ path, message: "is not a document of this contract" }),
    );
    return version.id;
  }
  const [latest] = await listVersions(ctx, contractId);
  if (!latest) throw invalid({ path, message: "is missing: the contract has no document yet" });
  return latest.id;
}

/** Locks a draft; throws if it is no longer a draft. */
async function lockDraft(tx: Transaction, ctx: Context, id: string): Promise<EnvelopeRow> {
  const row = await lockRow(tx, ctx, id);
  if (row.status === "DRAFT") return row;
  throw new Refusal("invalid_transition", `This request is ${row.status}; only a draft can be changed.`);
}

/** Updates a draft: the properties given are replaced. With `updatedAt`, only if it has not changed since then. */
export async function updateDraft(ctx: Context, input: DraftPatch): Promise<void> {
  requireSender(ctx);
  await unlogged(ctx, async (tx) => {
    const row = await lockDraft(tx, ctx, input.envelopeId);
    if (input.updatedAt !== undefined && row.updatedAt.getTime() !== input.updatedAt.getTime()) {
      throw new Refusal(
        "conflict",
        "This draft has been changed elsewhere since you opened it. Reload it to see what is different.",
      );
    }
    const { subject, message, deadline } = input;
    const documentVersionId =
      input.documentVersionId && (await versionOf(ctx, row.contractId, input.documentVersionId));
    const given = { subject, message, deadline, documentVersionId };
    const fields = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
    await tx.envelope.update({
      where: { organizationId_id: { ...own(ctx), id: row.id } },
      data: { ...fields, updatedAt: ctx.now },
    });
    if (input.signers) await replaceSigners(tx, ctx, row, input.signers);
    if (input.fields) await replaceFields(tx, ctx, row.id, input.fields);
  });
}

/** Editing a draft is recorded neither in the audit log nor in the chain of events. */
async function unlogged(ctx: Context, work: (tx: Transaction) => Promise<void>): Promise<void> {
  await change(ctx, async (tx) => {
    skipAudit();
    await work(tx);
  });
}

async function replaceSigners(
  tx: Transaction,
  ctx: Context,
  row: EnvelopeRow,
  given: NonNullable<DraftPatch["signers"]>,
): Promise<void> {
  const signers = await signersFrom(ctx, row, given);
  const kept = signers.map(({ id }) => id);
  const gone = { ...own(ctx), envelopeId: row.id };
  await tx.signatureField.deleteMany({ where: { ...gone, signerId: { notIn: kept } } });
  await tx.signer.deleteMany({ where: { ...gone, id: { notIn: kept } } });
  for (const signer of signers) {
    await tx.signer.upsert({
      where: { organizationId_id: { ...own(ctx), id: signer.id } },
      create: { ...own(ctx), envelopeId: row.id, ...signer },
      update: signer,
    });
  }
}

async function replaceFields(
  tx: Transaction,
  ctx: Context,
  envelopeId: string,
  given: NewField[],
): Promise<void> {
  const row = await findRow(ctx, envelopeId);
  const signers = new Set(row.signers.map(({ id }) => id));
  const known = new Set(row.fields.map(({ id }) => id));
  const issues = given.flatMap(({ id, signerId }, index) => [
    ...(signers.has(signerId)
      ? []
      : [{ path: `fields.${index}.signerId`, message: "is not a signer of this request" }]),
    ...(id === undefined || known.has(id)
      ? []
      : [{ path: `fields.${index}.id`, message: "is not a field of this request" }]),
  ]);
  if (issues.length > 0) throw invalid(...issues);
  await tx.signatureField.deleteMany({ where: { ...own(ctx), envelopeId } });
  await tx.signatureField.createMany({
    data: given.map(({ id = newId("field"), label = null, ...field }) => ({
      ...own(ctx),
      ...{ envelopeId, id, label },
      ...field,
    })),
  });
}

/** Deletes a draft. Its chain of events is kept, as all history is. */
export async function discardDraft(ctx: Context, envelopeId: string): Promise<void> {
  requireSender(ctx);
  await unlogged(ctx, async (tx) => {
    const row = await lockDraft(tx, ctx, envelopeId);
    const of = { ...own(ctx), envelopeId: row.id };
    await tx.signatureField.deleteMany({ where: of });
    await tx.signer.deleteMany({ where: of });
    await tx.envelope.delete({ where: { organizationId_id: { ...own(ctx), id: row.id } } });
  });
}

/** Creates a draft from a sent request: the same signers and fields, with no values. */
export async function duplicateAsDraft(ctx: Context, envelopeId: string): Promise<string> {
  const row = await findRow(ctx, envelopeId);
  return change(ctx, async (tx) => {
    const { contractId, documentVersionId, subject, message } = row;
    const id = await createDraft(ctx, { contractId, documentVersionId, subject, message });
    const copies = new Map<string, string>();
    for (const signer of row.signers) {
      if (signer.delegatedAt) continue;
      const { name, email, party, userId, counterpartyContactId, orderIndex, codeRequired } = signer;
      const copy = newId("signer");
      copies.set(signer.id, copy);
      const person = { name, email, party, userId, counterpartyContactId, orderIndex, codeRequired };
      await tx.signer.create({ data: { ...own(ctx), id: copy, envelopeId: id, ...person } });
    }
    const fields = row.fields.flatMap(({ value: _, filled: __, signerId, ...field }) => {
      const signer = copies.get(signerId);
      return signer ? [{ ...field, id: newId("field"), envelopeId: id, signerId: signer }] : [];
    });
    await tx.signatureField.createMany({ data: fields });
    return id;
  });
}
