/** Exports any number of contracts as table rows, a hundred at a time. */
import type { Context } from "#lib/core/context.ts";
import { fieldCells } from "#lib/custom-fields/table.ts";
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

function cellsOf(name: Exclude<ColumnName, "fieldValues">): Cells {
  if (isNamed(name)) return names[name];
  if (name === "tags") return { tags: ({ tags }) => cellOfTags(tags) };
  if (columns[name].exported === "day") {
    return { [name]: (contract) => contract[name]?.toString().slice(0, 10) ?? null };
  }
  if (columns[name].cast === "boolean") return { [name]: (contract) => (contract[name] ? "yes" : "no") };
  return { [name]: (contract) => contract[name] };
}

const isExported = (name: ColumnName): name is Exclude<ColumnName, "fieldValues"> =>
  columns[name].exported !== false;
const cells: Cells = Object.assign({}, ...columnNames.filter(isExported).map(cellsOf));

/** The number of contracts read at once: with long values in many custom fields, each has 25 kB. */
const batch = 100;

/**
 * Exports all contracts that match a list's filter, in its order; the set is fixed before the first row.
 * Includes archived contracts unless the filter says otherwise. The built-in columns come first, then the
 * workspace's custom fields, by name.
 */
export async function exportContracts(ctx: Context, query: ContractQuery) {
  const ids = await contractIds(ctx, { archived: "any", ...query });
  const ofFields = await fieldCells(ctx);
  const all: Cells = { ...cells };
  for (const [column, cell] of ofFields) all[column] = ({ fieldValues }) => cell(fieldValues);
  return {
    target: "contracts",
    columns: Object.keys(all),
    rowCount: ids.length,
    batches: rowsOf(ctx, ids, Object.values(all)),
  };
}

async function* rowsOf(ctx: Context, ids: string[], all: Cells[string][]): AsyncGenerator<Cell[][]> {
  for (let at = 0; at < ids.length; at += batch) {
    const contracts = await contractsById(ctx, ids.slice(at, at + batch));
    yield contracts.map((contract) => all.map((cell) => cell(contract)));
  }
}
