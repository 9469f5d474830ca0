/** Exports tables as CSV for spreadsheets, and records that in the audit log. */
import { exportAuditEvents } from "#lib/audit/export.ts";
import { exportComments } from "#lib/comments/export.ts";
import { exportContracts } from "#lib/contracts/export.ts";
import { change } from "#lib/core/change.ts";
import type { Context } from "#lib/core/context.ts";
import { printCsv, type Rows } from "./print.ts";
import type { ExportName } from "./schema.ts";

/** A table: the target type of its audit event, its columns, and its rows in batches. */
interface Table {
  target: string;
  columns: string[];
  rowCount: number;
  batches: AsyncIterable<Rows>;
}

// biome-ignore lint/suspicious/noExplicitAny: the door has checked the query against the export's schema.
const tables: Record<ExportName, (ctx: Context, query: any) => Promise<Table>> = {
  "contracts.csv": exportContracts,
  "comments.csv": exportComments,
  "audit-events.csv": exportAuditEvents,
};

/** Starts an export, and records it at once, since a partial download counts, too. */
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
  return { rowCount, text: printCsv(table) };
}
