/** Contracts as rows of a table, however many, a few hundred at a time. */
import type { Context } from "#lib/core/context.ts";
import { type ColumnName, type ColumnsWhere, columnNames, columns } from "./columns.ts";
import { contractIds } from "./list.ts";
import { type ContractRow, contractsById } from "./rows.ts";
import type { ContractQuery } from "./schema.ts";
import { cellOfTags } from "./tags/cells.ts";

type Cell = string | number | boolean | null;

type Cells = Record<string, (contract: ContractRow) => Cell>;

const names: Record<ColumnsWhere<{ exported: "names" }>, Cells> = {
  counterpartyId: { counterparty: ({ counterparty }) => counterparty?.name ?? null },
  ownerId: { owner: ({ owner }) => owner.name, ownerEmail: ({ owner }) => owner.email },
};

const isNamed = (name: ColumnName): name is keyof typeof names => columns[name].exported === "names";

function cellsOf(name: ColumnName): Cells {
  if (isNamed(name)) return names[name];
  if (name === "tags") return { tags: ({ tags }) => cellOfTags(tags) };
  if (columns[name].exported === "day") {
    return { [name]: (contract) => contract[name]?.toString().slice(0, 10) ?? null };
  }
  if (columns[name].cast === "boolean") return { [name]: (contract) => (contract[name] ? "yes" : "no") };
  return { [name]: (contract) => contract[name] };
}

const exported = columnNames.filter((name) => columns[name].exported);
const cells: Cells = Object.assign({}, ...exported.map(cellsOf));

const batch = 500;

/**
 * All that a list's filter finds, in its order, as of now: which they are is settled before the first row. Unless the
 * filter says otherwise, with those that are archived.
 */
export async function exportContracts(ctx: Context, query: ContractQuery) {
  const ids = await contractIds(ctx, { archived: "any", ...query });
  return {
    target: "contracts",
    columns: Object.keys(cells),
    rowCount: ids.length,
    batches: rowsOf(ctx, ids),
  };
}

async function* rowsOf(ctx: Context, ids: string[]): AsyncGenerator<Cell[][]> {
  for (let at = 0; at < ids.length; at += batch) {
    const contracts = await contractsById(ctx, ids.slice(at, at + batch));
    yield contracts.map((contract) => Object.values(cells).map((cell) => cell(contract)));
  }
}
