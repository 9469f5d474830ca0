/** Contracts: made, one by one or many together. */

import { commits, Gatherer } from "#lib/core/batches/gather.ts";
import { settled, together } from "#lib/core/batches/together.ts";
import { change, changeInOneStatement, changeManyInOneStatement, isAlone } from "#lib/core/change.ts";
import type { Context } from "#lib/core/context.ts";
import { refusedWith } from "#lib/core/errors.ts";
import type { Entry } from "#lib/core/history.ts";
import { newId } from "#lib/core/ids.ts";
import { wire } from "#lib/core/wire.ts";
import { valueReader } from "#lib/custom-fields/values.ts";
import { columns, columnsSetBy, type StoredContract } from "./columns.ts";
import type { ContractStatus } from "./lifecycle.ts";
import { type ContractRow, contractFrom, type ReadContract } from "./rows.ts";
import type { ContractFields } from "./schema.ts";
import { insertManyOf, insertOf } from "./statements.ts";
import { type Fields, partyIssues, unknownParties } from "./update.ts";

/** The template that a contract is made from, as it was at that moment. */
export interface Origin {
  templateId: string;
  templateRevision: number;
}

/** Makes a contract, in DRAFT. */
export async function createContract(
  ctx: Context,
  input: ContractFields,
  origin?: Origin,
): Promise<ContractRow> {
  const { ownerId, counterpartyId = null } = input;
  const values = await givenValues(ctx, input).catch(
    refusedWith(() => partyIssues(ctx, ownerId, counterpartyId)),
  );
  const row = { ...newRow(ctx, input, origin), ...values };
  return isAlone(ctx) ? creations.add(ctx.organizationId, { ctx, row }) : insertOne({ ctx, row });
}

/** What a new contract has in custom fields. Most requests name none, and ask for none. */
async function givenValues(ctx: Context, { customFields }: Pick<ContractFields, "customFields">) {
  return customFields ? { fieldValues: (await valueReader(ctx, [customFields]))(customFields, {}) } : {};
}

interface Creation {
  ctx: Context;
  row: ReturnType<typeof newRow>;
}

/** Those that come while the workspace's log takes a commit are made together. */
const creations = new Gatherer((batch: Creation[]) => together(batch, insertAll, insertOne), commits);

async function insertAll(batch: Creation[]): Promise<(() => ContractRow)[]> {
  const { ctes, values } = insertManyOf(
    batch[0]!.ctx,
    batch.map(({ row }) => row),
  );
  const history = batch.map(({ ctx, row }) => ({ ctx, entry: entryOf(row) }));
  const made = await changeManyInOneStatement<ReadContract>(ctes, values, history);
  const byId = new Map(made.map((row) => [row.id, contractFrom(row)]));
  return Promise.all(batch.map(({ ctx, row }) => settled(found(ctx, row, byId.get(row.id)))));
}

async function insertOne({ ctx, row }: Creation): Promise<ContractRow> {
  const { ctes, values } = insertOf(ctx, row);
  const made = await changeInOneStatement<ReadContract>(ctx, ctes, values, entryOf(row), (written) => ({
    contract: contractFrom(written),
  }));
  return found(ctx, row, made && contractFrom(made));
}

async function found(
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
 * Makes many contracts in one change, in the status that they have elsewhere. In the order of `inputs`; undefined where
 * the owner or the counterparty is not the workspace's any more.
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
    const made = wire(
      await tx.$queryRawUnsafe(`WITH ${ctes} SELECT * FROM written`, ...values),
    ) as ReadContract[];
    const byId = new Map(made.map((row) => [row.id, contractFrom(row)]));
    const contracts = rows.map(({ id }) => byId.get(id));
    for (const contract of contracts) if (contract) record({ ...entryOf(contract), resource: { contract } });
    return contracts;
  });
}

/** What only a contract can be that was executed. */
const executedOnce: ContractStatus[] = ["EXECUTED", "ACTIVE", "EXPIRED", "TERMINATED"];

function newRow(ctx: Context, input: ContractFields, origin?: Origin) {
  const now = ctx.now.toISOString();
  return {
    ...withTheRest(fieldsOf(input)),
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

/** What a new contract has: what was said, and where nothing was said what the columns begin with. */
function withTheRest(fields: Fields): Requested {
  const all = requested.map((name) => [name, fields[name] ?? columns[name].initially ?? null]);
  return Object.fromEntries(all);
}

/** What was given, in wire form; what was not is left out. */
export function fieldsOf(input: Partial<ContractFields>): Fields {
  const isGiven = ([name, value]: [string, unknown]) =>
    value !== undefined && (requested as string[]).includes(name);
  const fields = wire(Object.fromEntries(Object.entries(input).filter(isGiven))) as Fields;
  if (fields.valueCents === null) fields.valueCurrency = null;
  return fields;
}
