/** Writes a contract if its revision is still the one that was read, with its history; obligations follow. */
import { Batcher, commitBatching } from "#lib/core/batches/batcher.ts";
import { runBatchOrEach } from "#lib/core/batches/run-batch.ts";
import {
  change,
  changeInOneStatement,
  changeManyInOneStatement,
  differences,
  isStandalone,
  select,
} from "#lib/core/change.ts";
import type { Context } from "#lib/core/context.ts";
import { type Issue, invalid, Refusal } from "#lib/core/errors.ts";
import type { Changes, Entry } from "#lib/core/history.ts";
import { expectUnchanged } from "#lib/core/serialize.ts";
import { valueChanges } from "#lib/custom-fields/values.ts";
import { cancelObligations, resolveObligations } from "#lib/obligations/follow.ts";
import { closesObligations } from "#lib/obligations/lifecycle.ts";
import type { ColumnsSetBy, StoredContract } from "./columns.ts";
import { type ContractRow, contractFrom, findContract, type ReadContract } from "./rows.ts";
import { ContractAnswer } from "./schema.ts";
import { type Update, updateManyOf, updateOf } from "./statements.ts";

/** The fields of a contract that can be changed, in wire form. */
export type Fields = Partial<Pick<StoredContract, ColumnsSetBy<"request" | "lifecycle">>>;

type Plan = { fields: Fields; action: Entry["action"]; reason?: string | null | undefined };

/**
 * Reads, plans and writes, if nobody wrote in between; otherwise starts over from the new state. Writes nothing if
 * nothing would change.
 */
export async function updateContract(
  ctx: Context,
  id: string,
  plan: (before: ContractRow) => Plan | Promise<Plan>,
): Promise<ContractRow> {
  for (let attempt = 0; attempt < 20; attempt++) {
    const before = await findContract(ctx, id);
    await expectUnchanged(ctx, ContractAnswer, () => ({ contract: before }));
    const { action, reason, ...planned } = await plan(before);
    const fields = await withCurrency(ctx, before, planned.fields);
    const changes = changesOf(before, fields);
    if (Object.keys(changes).length === 0) return before;
    const issues = await newPartyIssues(ctx, before, fields);
    if (issues.length > 0) throw invalid(...issues);
    const title = fields.title ?? before.title;
    const entry = { action, target: { type: "contract", id }, contract: { id, title }, changes, reason };
    const after = movesObligations(changes)
      ? await change(ctx, async () => {
          const written = await write(ctx, before, fields, entry);
          if (written) await updateObligations(ctx, written);
          return written;
        })
      : await write(ctx, before, fields, entry);
    if (after) return after;
  }
  throw new Refusal("conflict", "This contract is being changed by others at the same time. Try again.");
}

/** Returns the changes for the log, with custom fields by their keys. */
function changesOf(before: ContractRow, { statusChangedAt: _, fieldValues, ...told }: Fields): Changes {
  const { changes } = differences(before, told);
  if (!fieldValues) return changes;
  return { ...changes, ...valueChanges(before.fieldKeys, before.fieldValues, fieldValues) };
}

/** Gives an amount without a currency that of the workspace. */
async function withCurrency(ctx: Context, before: ContractRow, fields: Fields): Promise<Fields> {
  const { valueCents, valueCurrency } = { ...before, ...fields };
  if (valueCents === null || valueCurrency !== null) return fields;
  const [workspace] = await select<{ currency: string }>("SELECT currency FROM organizations WHERE id = $1", [
    ctx.organizationId,
  ]);
  return { ...fields, valueCurrency: workspace?.currency ?? null };
}

const movers = new Set<string>([
  "status",
  "effectiveDate",
  "executedAt",
  "termMonths",
  "autoRenews",
  "renewalMonths",
] satisfies (keyof Fields)[]);

const movesObligations = (changes: Changes) => Object.keys(changes).some((name) => movers.has(name));

/** Updates or cancels the obligations to match their contract. */
async function updateObligations(ctx: Context, contract: ContractRow): Promise<void> {
  if (closesObligations(contract.status)) await cancelObligations(ctx, contract);
  else await resolveObligations(ctx, contract);
}

/**
 * Writes the fields if the revision is still the one that was read. Returns undefined if someone else was
 * faster.
 */
function write(
  ctx: Context,
  before: ContractRow,
  fields: Fields,
  entry: Entry,
): Promise<ContractRow | undefined> {
  const now = ctx.now.toISOString();
  const row = { ...before, ...fields, lastActivityAt: now, updatedAt: now };
  return isStandalone(ctx)
    ? updateBatcher.add(ctx.organizationId, { ctx, row, entry })
    : writeOne({ ctx, row, entry });
}

interface Writing {
  ctx: Context;
  row: Update;
  entry: Entry;
}

/** Updates requested while the workspace's log is busy with a commit are written together. */
const updateBatcher = new Batcher(
  (batch: Writing[]) => runBatchOrEach(batch, writeAll, writeOne),
  commitBatching,
);

async function writeAll(batch: Writing[]): Promise<(() => ContractRow | undefined)[]> {
  // Only the first update of each contract: the later ones have read a revision that is outdated by then.
  const firsts = new Map(batch.toReversed().map((each) => [each.row.id, each]));
  const each = [...firsts.values()];
  const { ctes, values } = updateManyOf(
    batch[0]!.ctx,
    each.map(({ row }) => row),
  );
  const written = await changeManyInOneStatement<ReadContract>(ctes, values, each);
  const byId = new Map(written.map((row) => [row.id, contractFrom(row)]));
  return batch.map((one) => () => (firsts.get(one.row.id) === one ? byId.get(one.row.id) : undefined));
}

async function writeOne({ ctx, row, entry }: Writing): Promise<ContractRow | undefined> {
  const { ctes, values } = updateOf(ctx, row);
  const resourceOf = (after: ReadContract) => ({ contract: contractFrom(after) });
  const written = await changeInOneStatement<ReadContract>(ctx, ctes, values, entry, resourceOf);
  return written && contractFrom(written);
}

/**
 * Returns problems with a new owner or counterparty: they must belong to the workspace; the current ones may
 * stay.
 */
export async function newPartyIssues(ctx: Context, before: ContractRow, fields: Fields): Promise<Issue[]> {
  const ownerId = fields.ownerId === before.ownerId ? undefined : fields.ownerId;
  const counterpartyId = fields.counterpartyId === before.counterpartyId ? undefined : fields.counterpartyId;
  if (ownerId === undefined && !counterpartyId) return [];
  return partyIssues(ctx, ownerId ?? null, counterpartyId ?? null);
}

export async function unknownParties(ctx: Context, ownerId: string, counterpartyId: string | null) {
  const issues = await partyIssues(ctx, ownerId, counterpartyId);
  if (issues.length > 0) return invalid(...issues);
  return new Refusal("conflict", "The owner or the counterparty has just changed. Try again.");
}

/** Returns problems with an owner and a counterparty; null skips the check. */
export async function partyIssues(
  ctx: Context,
  ownerId: string | null,
  counterpartyId: string | null,
): Promise<Issue[]> {
  const [found] = await select<{ owner: boolean; counterparty: boolean }>(
    `SELECT EXISTS (SELECT 1 FROM members
         WHERE organization_id = $1 AND user_id = $2 AND removed_at IS NULL) AS owner,
       EXISTS (SELECT 1 FROM counterparties WHERE organization_id = $1 AND id = $3) AS counterparty`,
    [ctx.organizationId, ownerId, counterpartyId],
  );
  const issues: Issue[] = [];
  if (ownerId !== null && !found?.owner) {
    issues.push({ path: "ownerId", message: "is not the userId of an active member of this workspace" });
  }
  if (counterpartyId !== null && !found?.counterparty) {
    issues.push({ path: "counterpartyId", message: "is not a counterparty of this workspace" });
  }
  return issues;
}
