/**
 * Makes what an import planned, in one change. Its rows are written many at a time, and what keeps the workspace's other
 * changes waiting, the end of its log, is taken at the very end (lib/core/history.ts).
 */
import { change, type Recorder } from "#lib/core/change.ts";
import type { Context } from "#lib/core/context.ts";
import type { Reader, Transaction } from "#lib/core/db.ts";
import { createCounterparties } from "#lib/counterparties/counterparties.ts";
import { lockFiles, protectFiles } from "#lib/storage/hold.ts";
import { createContracts } from "../create.ts";
import type { ContractRow } from "../rows.ts";
import { addFirstVersions, duplicateDocuments } from "../versions.ts";
import { type ImportProgress, knownParties, newPartyNames, type PlannedRow } from "./plan.ts";
import type { RowError } from "./rows.ts";

/** Rows that were fine by themselves, and are not together with what the workspace has. */
export class RowsRefused extends Error {
  readonly rows: RowError[];

  constructor(rows: RowError[]) {
    super(`${rows.length} rows were refused.`);
    this.rows = rows;
  }
}

/** Others are served between them: with values in forty custom fields, these take some 20 ms. */
const rowsAtOnce = 200;

/** Twenty thousand rows take ten seconds on two busy cores, and more where many endpoints are told of them. */
const timeoutMs = 10 * 60_000;

interface ImportOptions {
  onProgress?: ImportProgress | undefined;
  /** Written in the same change. */
  alongside?(tx: Transaction): Promise<void> | undefined;
}

export async function createImported(
  ctx: Context,
  plans: PlannedRow[],
  { onProgress, alongside }: ImportOptions,
): Promise<void> {
  const made: ContractRow[] = [];
  const documents = plans.filter((plan) => plan.document);
  const make = async (tx: Transaction, record: Recorder) => {
    await refuseTaken(tx, ctx, documents, []);
    await protectFiles(
      tx,
      ctx.organizationId,
      documents.map(({ document }) => document!.sha256),
    );
    const parties = await createParties(ctx, plans);
    for (let at = 0; at < plans.length; at += rowsAtOnce) {
      made.push(...(await createRows(ctx, plans.slice(at, at + rowsAtOnce), parties.idOf)));
      await onProgress?.("made", made.length, plans.length);
    }
    await alongside?.(tx);
    record({
      action: "DATA_IMPORTED",
      target: { type: "workspace", id: ctx.organizationId },
      changes: {
        contracts: { from: null, to: plans.length },
        counterparties: { from: null, to: parties.made },
        documents: { from: null, to: documents.length },
      },
    });
  };
  const atTheEnd = async (tx: Transaction) => {
    if (documents.length === 0) return;
    // Someone may have uploaded one of them meanwhile; from here on whoever does waits, and then finds ours.
    await lockFiles(tx, ctx.organizationId);
    await refuseTaken(tx, ctx, documents, made);
  };
  await change(ctx, make, { timeoutMs, atTheEnd });
}

/** The counterparties that rows name: those that are there, of two that are called alike the older one, and new ones. */
async function createParties(ctx: Context, plans: PlannedRow[]) {
  const known = await knownParties(ctx);
  const names = [...newPartyNames(plans, known).values()];
  const created = await createCounterparties(
    ctx,
    names.map((name) => ({ name })),
  );
  const byName = new Map([...known.toReversed(), ...created].map(({ id, name }) => [name.toLowerCase(), id]));
  const idOf = ({ contract, counterpartyName }: PlannedRow) =>
    contract.counterpartyId ?? (counterpartyName && byName.get(counterpartyName.toLowerCase())) ?? null;
  return { made: created.length, idOf };
}

async function createRows(
  ctx: Context,
  plans: PlannedRow[],
  partyOf: (plan: PlannedRow) => string | null,
): Promise<ContractRow[]> {
  const contracts = await createContracts(
    ctx,
    plans.map((plan) => ({ ...plan.contract, counterpartyId: partyOf(plan), status: plan.status })),
  );
  const lost = plans.filter((_, index) => !contracts[index]);
  if (lost.length > 0) {
    const message = "The owner or the counterparty has just changed. Try again.";
    throw new RowsRefused(lost.map(({ line }) => ({ line, path: "", message })));
  }
  const rows = contracts as ContractRow[];
  const versions = plans.flatMap(({ document }, index) =>
    document ? [{ ...document, contract: rows[index]!, source: "IMPORTED" as const }] : [],
  );
  await addFirstVersions(ctx, versions);
  return rows;
}

async function refuseTaken(
  tx: Transaction,
  ctx: Context,
  plans: PlannedRow[],
  own: ContractRow[],
): Promise<void> {
  const rows = await duplicateRows(tx, ctx, plans, own);
  if (rows.length > 0) throw new RowsRefused(rows);
}

/** The rows whose documents other contracts of the workspace have. */
export async function duplicateRows(
  store: Reader | Transaction,
  ctx: Context,
  plans: PlannedRow[],
  own: ContractRow[] = [],
): Promise<RowError[]> {
  const documents = plans.flatMap(({ document }) => (document ? [document.sha256] : []));
  if (documents.length === 0) return [];
  const taken = await duplicateDocuments(
    store,
    ctx,
    documents,
    own.map(({ id }) => id),
  );
  return plans.flatMap(({ line, document }) => {
    const message = document && taken.get(document.sha256);
    return message ? [{ line, path: "fileName", message }] : [];
  });
}
