/** Brings contracts from a CSV, with their documents: all rows in one change, or none. */
import { reader } from "#lib/core/change.ts";
import type { Context } from "#lib/core/context.ts";
import type { Transaction } from "#lib/core/db.ts";
import { fieldColumns } from "#lib/custom-fields/table.ts";
import { createImported, duplicateRows, RowsRefused } from "./create.ts";
import { type ImportProgress, knownParties, newPartyNames, planRows } from "./plan.ts";
import { type Row, type RowError, type RowLookups, readTable } from "./rows.ts";

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

interface Source {
  /** The folder that the column fileName names files of. */
  folder: string | null;
  dryRun: boolean;
  onProgress?: ImportProgress | undefined;
  /** What is written in the same change as the contracts. */
  alongside?: ((tx: Transaction, report: ImportReport) => Promise<void>) | undefined;
}

export interface Import extends Source {
  csv: Uint8Array;
}

/** Reads and checks everything, then makes everything. Any error, and nothing is made. */
export async function importContracts(ctx: Context, { csv, ...source }: Import): Promise<ImportReport> {
  const ofFields = await fieldColumns(ctx);
  return importRows(ctx, readTable(csv, ofFields.columns), source, ofFields);
}

/** The same with rows that were read, and what was wrong with the file itself. */
export async function importRows(
  ctx: Context,
  { rows, errors }: { rows: Row[]; errors: RowError[] },
  source: Source,
  { customFieldsIn }: Pick<RowLookups, "customFieldsIn">,
): Promise<ImportReport> {
  const plans = await planRows(ctx, rows, { ...source, customFieldsIn }, errors);
  const names = newPartyNames(plans, await knownParties(ctx));
  const report = (problems: RowError[], made = problems.length === 0): ImportReport => ({
    organizationId: ctx.organizationId,
    dryRun: source.dryRun,
    rows: rows.length,
    contracts: made ? plans.length : 0,
    counterparties: made ? names.size : 0,
    documents: made ? plans.filter(({ document }) => document).length : 0,
    errors: problems.sort((a, b) => a.line - b.line),
  });
  if (source.dryRun && errors.length === 0) errors.push(...(await duplicateRows(reader(), ctx, plans)));
  if (errors.length > 0 || source.dryRun) return report(errors);
  try {
    const { alongside, onProgress } = source;
    await createImported(ctx, plans, { onProgress, alongside: (tx) => alongside?.(tx, report([])) });
    return report([]);
  } catch (error) {
    if (error instanceof RowsRefused) return report(error.rows);
    throw error;
  }
}
