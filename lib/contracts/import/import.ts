/** Brings contracts from a CSV, with their documents: all rows in one change, or none. */
import type { Context } from "#lib/core/context.ts";
import { fieldColumns } from "#lib/custom-fields/table.ts";
import { makeContracts, RowsRefused } from "./make.ts";
import { knownParties, newNames, planRows } from "./plan.ts";
import { type RowError, readTable } from "./rows.ts";

export interface ImportReport {
  organizationId: string;
  dryRun: boolean;
  rows: number;
  /** What was made; in a dry run, what would be. All 0 where there are errors. */
  contracts: number;
  counterparties: number;
  documents: number;
  errors: RowError[];
}

export interface Import {
  csv: Uint8Array;
  /** The folder that the column fileName names files of. */
  folder: string | null;
  dryRun: boolean;
  onProgress?: ((what: "checked" | "made", done: number, of: number) => void) | undefined;
}

/** Reads and checks everything, then makes everything. Any error, and nothing is made. */
export async function importContracts(ctx: Context, request: Import): Promise<ImportReport> {
  const { columns, customFieldsIn } = await fieldColumns(ctx);
  const { rows, errors } = readTable(request.csv, columns);
  const plans = await planRows(ctx, rows, { ...request, customFieldsIn }, errors);
  const names = newNames(plans, await knownParties(ctx));
  const report = (problems: RowError[], made = problems.length === 0): ImportReport => ({
    organizationId: ctx.organizationId,
    dryRun: request.dryRun,
    rows: rows.length,
    contracts: made ? plans.length : 0,
    counterparties: made ? names.size : 0,
    documents: made ? plans.filter(({ document }) => document).length : 0,
    errors: problems.sort((a, b) => a.line - b.line),
  });
  if (errors.length > 0 || request.dryRun) return report(errors);
  try {
    await makeContracts(ctx, plans, request.onProgress);
    return report([]);
  } catch (error) {
    if (error instanceof RowsRefused) return report(error.rows);
    throw error;
  }
}
