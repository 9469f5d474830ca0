/** Creates contracts, one by one or many together. */

import { Batcher, commitBatching } from "#lib/core/batches/batcher.ts";
import { runBatchOrEach, settle } from "#lib/core/batches/run-batch.ts";
import { change, changeInOneStatement, changeManyInOneStatement, isStandalone } from "#lib/core/change.ts";
import type { Context } from "#lib/core/context.ts";
import { rethrowWithIssues } from "#lib/core/errors.ts";
import type { Entry } from "#lib/core/history.ts";
import { newId } from "#lib/core/ids.ts";
import { toJsonValue } from "#lib/core/wire.ts";
import { valueReader } from "#lib/custom-fields/values.ts";
import { columns, columnsSetBy, type StoredContract } from "./columns.ts";
import type { ContractStatus } from "./lifecycle.ts";
import { type ContractRow, contractFrom, type ReadContract } from "./rows.ts";
import type { ContractFields } from "./schema.ts";
import { insertManyOf, insertOf } from "./statements.ts";
import { type Fields, partyIssues, unknownParties } from "./update.ts";

/** The template that a contract is created from, and its revision at that time. */
export interface Origin {
  templateId: string;
  templateRevision: number;
}

/** Creates a contract, as DRAFT. */
export async function createContract(
  ctx: Context,
  input: ContractFields,
  origin?: Origin,
): Promise<ContractRow> {
  const { ownerId, counterpartyId = null } = input;
  const values = await givenValues(ctx, input).catch(
    rethrowWithIssues(() => partyIssues(ctx, ownerId, counterpartyId)),
  );
  const row = { ...newRow(ctx, input, origin), ...values };
  return isStandalone(ctx) ? insertBatcher.add(ctx.organizationId, { ctx, row }) : insertOne({ ctx, row });
}

/** The custom field values of a new contract. Most requests give none and need no query. */
async function givenValues(ctx: Context, { customFields }: Pick<ContractFields, "customFields">) {
  return customFields ? { fieldValues: (await valueReader(ctx, [customFields]))(customFields, {}) } : {};
}

interface Creation {
  ctx: Context;
  row: ReturnType<typeof newRow>;
}

/** Contracts requested while the workspace's log is busy with a commit are created together. */
const insertBatcher = new Batcher(
  (batch: Creation[]) => runBatchOrEach(batch, insertAll, insertOne),
  commitBatching,
);

async function insertAll(batch: Creation[]): Promise<(() => ContractRow)[]> {
  const { ctes, values } = insertManyOf(
    batch[0]!.ctx,
    batch.map(({ row }) => row),
  );
  const history = batch.map(({ ctx, row }) => ({ ctx, entry: entryOf(row) }));
  const made = await changeManyInOneStatement<ReadContract>(ctes, values, history);
  const byId = new Map(made.map((row) => [row.id, contractFrom(row)]));
  return Promise.all(batch.map(({ ctx, row }) => settle(requireCreated(ctx, row, byId.get(row.id)))));
}

async function insertOne({ ctx, row }: Creation): Promise<ContractRow> {
  const { ctes, values } = insertOf(ctx, row);
  const made = await changeInOneStatement<ReadContract>(ctx, ctes, values, entryOf(row), (written) => ({
    contract: contractFrom(written),
  }));
  return requireCreated(ctx, row, made && contractFrom(made));
}

async function requireCreated(
  ctx: Context,
  row: Creation["row"],
  made: ContractRow | undefined,
): Promise<ContractRow> {
  if (!made) throw await unknownParties(ctx, row.ownerId, row.counterpartyId);
  return made;
}

function entryOf({ id, title, status }: Pick<Creation["row"], "id" | "title" | "status">): Entry {
  return {
    action: "CONTRACT_CREATED",
    target: { type: "contract", id },
    contract: { id, title },
    changes: status === "DRAFT" ? undefined : { status: { from: null, to: status } },
  };
}

/**
 * Creates many contracts in one transaction, each in its given status. Returns them in the order of `inputs`;
 * undefined if the owner or the counterparty no longer belongs to the workspace.
 */
export async function createContracts(
  ctx: Context,
  inputs: (ContractFields & { status: ContractStatus })[],
): Promise<(ContractRow | undefined)[]> {
  const read = await valueReader(
    ctx,
    inputs.map(({ customFields = {} }) => customFields),
  );
  const rows = inputs.map(({ status, customFields = {}, ...fields }) => {
    const row = { ...newRow(ctx, fields), fieldValues: read(customFields, {}) };
    const isExecuted = executedOnce.includes(status);
    return { ...row, status, executedAt: row.executedAt ?? (isExecuted ? row.createdAt : null) };
  });
  const { ctes, values } = insertManyOf(ctx, rows);
  return change(ctx, async (tx, record) => {
    const made = toJsonValue(
      await tx.$queryRawUnsafe(`WITH ${ctes} SELECT * FROM written`, ...values),
    ) as ReadContract[];
    const byId = new Map(made.map((row) => [row.id, contractFrom(row)]));
    const contracts = rows.map(({ id }) => byId.get(id));
    for (const contract of contracts) if (contract) record({ ...entryOf(contract), resource: { contract } });
    return contracts;
  });
}

/** The statuses that only an executed contract can have. */
const executedOnce: ContractStatus[] = ["EXECUTED", "ACTIVE", "EXPIRED", "TERMINATED"];

function newRow(ctx: Context, input: ContractFields, origin?: Origin) {
  const now = ctx.now.toISOString();
  return {
    ...withDefaults(fieldsOf(input)),
    id: newId("contract"),
    status: "DRAFT" as ContractStatus,
    templateId: origin?.templateId ?? null,
    templateRevision: origin?.templateRevision ?? null,
    archivedAt: null,
    ...{ lastActivityAt: now, statusChangedAt: now, createdAt: now, updatedAt: now },
  };
}

const requested = columnsSetBy("request");

type Requested = Pick<StoredContract, (typeof requested)[number]>;

/** Fills what the request left out with the columns' initial values. */
function withDefaults(fields: Fields): Requested {
  const all = requested.map((name) => [name, fields[name] ?? columns[name].initially ?? null]);
  return Object.fromEntries(all);
}

/** Returns the given properties in wire form, without the others. */
export function fieldsOf(input: Partial<ContractFields>): Fields {
  const isGiven = ([name, value]: [string, unknown]) =>
    value !== undefined && (requested as string[]).includes(name);
  const fields = toJsonValue(Object.fromEntries(Object.entries(input).filter(isGiven))) as Fields;
  if (fields.valueCents === null) fields.valueCurrency = null;
  return fields;
}
