/** Lists what documents propose for their contracts, and accepts or rejects proposed dates. */

import { setAnchors } from "#lib/contracts/contracts.ts";
import { findContract } from "#lib/contracts/rows.ts";
import type { Contract } from "#lib/contracts/schema.ts";
import { change, reader, select } from "#lib/core/change.ts";
import { type Context, own } from "#lib/core/context.ts";
import { type Day, midnight } from "#lib/core/dates.ts";
import type { Transaction } from "#lib/core/db.ts";
import { notFound, Refusal } from "#lib/core/errors.ts";
import { withAssignees } from "#lib/obligations/assignees.ts";
import { obligationFrom } from "#lib/obligations/rows.ts";
import type { Anchor, DateAcceptance, DateRejection, ProposedDate } from "./schema.ts";
import { isMissing } from "./store.ts";

/** Returns all open proposals of a contract, in the order of the document. */
export async function proposalsOf(ctx: Context, { id: contractId }: { id: string }) {
  const where = { ...own(ctx), contractId, state: "SUGGESTED" };
  const [dates, obligations, newest] = await Promise.all([
    reader().dateProposal.findMany({ where, orderBy: [{ page: "asc" }, { anchor: "asc" }] }),
    reader().obligation.findMany({ where, orderBy: [{ sourcePage: "asc" }, { id: "asc" }] }),
    readingOfNewest(ctx, contractId),
  ]);
  // A contract with a version or an obligation exists.
  const isThere = newest !== undefined || obligations.length > 0;
  const contract = dates.length > 0 || !isThere ? await findContract(ctx, contractId) : null;
  const numbers = await versionNumbers(ctx, [
    ...dates.map(({ versionId }) => versionId),
    ...obligations.map(({ sourceVersionId }) => sourceVersionId),
  ]);
  return {
    isReading: newest?.isReading ?? false,
    // Someone may have entered the date since.
    dates: dates
      .filter(({ anchor }) => contract && isMissing(contract, { anchor: anchor as Anchor }))
      .map(
        (row) => ({ ...row, ...parseValue(row), versionNumber: numbers.get(row.versionId)! }) as ProposedDate,
      ),
    obligations: (await withAssignees(ctx, obligations)).map((row) => ({
      obligation: obligationFrom(row, ctx.now),
      versionId: row.sourceVersionId,
      versionNumber: numbers.get(row.sourceVersionId) ?? null,
      page: row.sourcePage,
      quote: row.sourceText,
      reasoning: row.description,
    })),
  };
}

async function versionNumbers(ctx: Context, found: (string | null)[]): Promise<Map<string | null, number>> {
  const ids = [...new Set(found.filter((id) => id !== null))];
  if (ids.length === 0) return new Map();
  const rows = await reader().documentVersion.findMany({
    where: { ...own(ctx), id: { in: ids } },
    select: { id: true, versionNumber: true },
  });
  return new Map(rows.map(({ id, versionNumber }) => [id, versionNumber]));
}

/** Returns in which versions the obligations of a contract were found, whether accepted or not. */
export async function placesOf(ctx: Context, contractId: string) {
  await findContract(ctx, contractId);
  const found = await reader().obligation.findMany({
    where: { ...own(ctx), contractId, sourceVersionId: { not: null } },
    select: { id: true, sourceVersion: { select: { id: true, versionNumber: true } } },
    orderBy: { id: "asc" },
  });
  return found.flatMap(({ id, sourceVersion }) =>
    sourceVersion
      ? [{ obligationId: id, versionId: sourceVersion.id, versionNumber: sourceVersion.versionNumber }]
      : [],
  );
}

/** Whether the newest version is still being read; undefined if the contract has none. */
async function readingOfNewest(
  ctx: Context,
  contractId: string,
): Promise<{ isReading: boolean } | undefined> {
  const [newest] = await select<{ isReading: boolean }>(
    `SELECT v.text_state <> 'FAILED' AND r.version_id IS NULL AS "isReading"
     FROM document_versions v
     LEFT JOIN version_readings r ON r.organization_id = v.organization_id AND r.version_id = v.id
     WHERE v.organization_id = $1 AND v.contract_id = $2 AND v.source <> 'SIGNED'
     ORDER BY v.version_number DESC LIMIT 1`,
    [ctx.organizationId, contractId],
  );
  return newest;
}

interface Meant {
  date: string | null;
  months: number | null;
}

function parseValue({ anchor, value }: { anchor: string; value: string }): Meant {
  return anchor === "EFFECTIVE_DATE" ? { date: value, months: null } : { date: null, months: Number(value) };
}

/** Sets the contract's date as proposed, or as changed by the member who accepts it. */
export async function acceptDate(ctx: Context, { id, anchor, value, ...changed }: DateAcceptance) {
  await change(ctx, async (tx) => {
    const proposed = await findProposal(ctx, tx, { id, anchor, value });
    // Someone may have entered the date since the member loaded the page.
    if (!isMissing(await findContract(ctx, id), { anchor })) {
      const message = "Someone has entered this date since. Reload the page to see what the contract has.";
      throw new Refusal("conflict", message);
    }
    const { date, months } = { ...parseValue(proposed), ...changed };
    const anchors = {
      EFFECTIVE_DATE: { effectiveDate: date === null ? undefined : midnight(date as Day) },
      TERM: { termMonths: months },
      RENEWAL: { autoRenews: true, renewalMonths: months },
    } satisfies Record<Anchor, Partial<Record<keyof Contract, unknown>>>;
    await setAnchors(ctx, { id, ...anchors[anchor] });
    await decide(ctx, tx, { id, anchor, value }, "ACCEPTED");
  });
  return proposalsOf(ctx, { id });
}

/** Rejects a date. It is stored as rejected, so that a later version with the same date does not propose it again. */
export async function rejectDate(ctx: Context, { id, anchor, value }: DateRejection) {
  await change(ctx, async (tx, record) => {
    const { title } = await findContract(ctx, id);
    await findProposal(ctx, tx, { id, anchor, value });
    await decide(ctx, tx, { id, anchor, value }, "REJECTED");
    record({
      action: "CONTRACT_DATE_REJECTED",
      target: { type: "contract", id },
      contract: { id, title },
      changes: { [fieldOf[anchor]]: { from: value, to: null } },
    });
  });
  return proposalsOf(ctx, { id });
}

const fieldOf = { EFFECTIVE_DATE: "effectiveDate", TERM: "termMonths", RENEWAL: "renewalMonths" } as const;

async function findProposal(ctx: Context, tx: Transaction, { id, anchor, value }: DateRejection) {
  // Locks the contract first, like every change of its dates, so that concurrent decisions run one after the other.
  await tx.$queryRaw`SELECT 1 FROM contracts
    WHERE organization_id = ${ctx.organizationId} AND id = ${id} FOR UPDATE`;
  const found = await tx.dateProposal.findFirst({
    where: { ...own(ctx), contractId: id, anchor, value, state: "SUGGESTED" },
  });
  if (!found) throw notFound("proposal");
  return found;
}

async function decide(
  ctx: Context,
  tx: Transaction,
  { id: contractId, anchor, value }: DateRejection,
  state: "ACCEPTED" | "REJECTED",
): Promise<void> {
  await tx.dateProposal.update({
    where: { organizationId_contractId_anchor_value: { ...own(ctx), contractId, anchor, value } },
    data: { state },
  });
}
