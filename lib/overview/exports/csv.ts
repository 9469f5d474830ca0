/** Exports tables as CSV for spreadsheets, and records that in the audit log. */
import { stringify } from "csv-stringify/sync";
import { exportAuditEvents } from "#lib/audit/export.ts";
import { exportComments } from "#lib/comments/export.ts";
import { exportContracts } from "#lib/contracts/export.ts";
import { change } from "#lib/core/change.ts";
import type { Context } from "#lib/core/context.ts";
import type { ExportName } from "./schema.ts";

/** A table: what it is of, its columns, and its rows, some at a time. */
interface Table {
  target: string;
  columns: string[];
  rowCount: number;
  batches: AsyncIterable<(string | number | boolean | null)[][]>;
}

// biome-ignore lint/suspicious/noExplicitAny: the door has checked the query against the export's schema.
const tables: Record<ExportName, (ctx: Context, query: any) => Promise<Table>> = {
  "contracts.csv": exportContracts,
  "comments.csv": exportComments,
  "audit-events.csv": exportAuditEvents,
};

/** Starts an export. It is logged at its start, since a partial download counts, too. */
export async function exportCsv(
  ctx: Context,
  name: ExportName,
  query: object,
): Promise<{ rowCount: number; text: AsyncIterable<string> }> {
  const table = await tables[name](ctx, query);
  const { target, rowCount } = table;
  await change(ctx, async (_, record) => {
    const changes = { rows: { from: null, to: rowCount } };
    record({ action: "DATA_EXPORTED", target: { type: target, id: ctx.organizationId }, changes });
  });
  return { rowCount, text: print(table) };
}

async function* print({ columns, batches }: Table): AsyncGenerator<string> {
  // The mark tells Excel that it is UTF-8.
  yield `\uFEFF${line([columns])}`;
  for await (const rows of batches) yield line(rows);
}

/**
 * A cell that a spreadsheet would take for a formula gets an apostrophe in front. One with lines is quoted: by itself
 * csv-stringify looks for its own delimiter of rows alone.
 */
function line(rows: (string | number | boolean | null)[][]): string {
  return stringify(rows, { escape_formulas: true, record_delimiter: "windows", quoted_match: /[\r\n]/ });
}
