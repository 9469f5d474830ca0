/**
 * The job `imports.run`: checks or performs an import for the member who requested it. It may be killed at any point
 * and repeated: the import is marked as done in the transaction that creates the contracts.
 */
import { z } from "zod";
import { type ImportReport as DoneReport, importRows } from "#lib/contracts/import/import.ts";
import type { RowError } from "#lib/contracts/import/rows.ts";
import { reader, select } from "#lib/core/change.ts";
import { type Context, own, systemContext } from "#lib/core/context.ts";
import type { Transaction } from "#lib/core/db.ts";
import { housekeeping } from "#lib/core/housekeeping.ts";
import { turnOf } from "#lib/core/lanes.ts";
import { log } from "#lib/core/log.ts";
import { type Role, scopesOf } from "#lib/core/scopes.ts";
import { columnOfKey } from "#lib/custom-fields/catalogue.ts";
import { customFieldsOf } from "#lib/custom-fields/custom-fields.ts";
import { fieldColumns } from "#lib/custom-fields/table.ts";
import { parser, runInChild } from "#lib/documents/sandbox/child.ts";
import { ParserFailed } from "#lib/documents/sandbox/watch.ts";
import { withStoredFile } from "#lib/storage/store.ts";
import { removeUnreferenced } from "#lib/storage/sweep.ts";
import type { ImportRow } from "./imports.ts";
import { type ReadRow, unpack } from "./packed.ts";
import type { readPacked } from "./read-csv.ts";
import { type ImportReport, type Mapping, maxErrors } from "./schema.ts";

const csvParser = parser<typeof readPacked>("lib/imports/read-csv.ts", "readPacked", "background");

/** Twenty thousand rows take a second; a file that takes much longer is not a table. */
const limits = { timeoutMs: 15_000, memoryMb: 768, answerMb: 64 };

const Payload = z.object({ organizationId: z.string(), importId: z.string() });

interface Attempt {
  attempts: number;
  max_attempts: number;
}

export async function runImport(payload: unknown, attempt: Attempt): Promise<void> {
  const { organizationId, importId } = Payload.parse(payload);
  const system = systemContext(organizationId, "imports.run");
  const row = await reader().contractImport.findFirst({ where: { ...own(system), id: importId } });
  if (!row?.sha256 || (row.state !== "CHECKING" && row.state !== "IMPORTING")) return;
  const member = await memberOf(system, row);
  if (!member) return setState(row, { state: "FAILED" });
  try {
    await checkOrImport(member, row);
  } catch (error) {
    if (attempt.attempts >= attempt.max_attempts) await setState(row, { state: "FAILED" });
    throw error;
  }
}

interface Found {
  id: string;
  name: string;
  email: string;
  role: Role;
  currency: string;
}

interface Owner extends Context {
  currency: string;
}

/** Reads the member as they are now; null if they have been removed or may no longer create contracts. */
async function memberOf(system: Context, { userId, origin }: ImportRow): Promise<Owner | null> {
  const [found] = await select<Found>(
    `SELECT u.id, u.name, u.email, m.role, o.currency FROM members m
     JOIN users u ON u.id = m.user_id JOIN organizations o ON o.id = m.organization_id
     WHERE m.organization_id = $1 AND m.user_id = $2 AND m.removed_at IS NULL AND o.subscription_status = 'active'`,
    [system.organizationId, userId],
  );
  if (!found || !scopesOf[found.role].includes("contracts:write")) return null;
  const { currency, ...person } = found;
  const visit = (origin ?? {}) as Partial<Pick<Context, "requestId" | "ip" | "userAgent">>;
  const actor = { kind: "user", ...person } as const;
  return { ...system, ...visit, actor, scopes: scopesOf[found.role], currency };
}

async function checkOrImport(ctx: Owner, row: ImportRow): Promise<void> {
  const table = await read(ctx, row);
  const cells = new Map(table.rows.map(({ line, cells }) => [line, cells]));
  const isDryRun = row.state === "CHECKING";
  const source = {
    ...{ folder: null, dryRun: isDryRun },
    onProgress: async (what: "checked" | "made", done: number) => {
      if (what === "made") await recordProgress(row, done);
    },
    alongside: (tx: Transaction, done: DoneReport) => finish(tx, row, reportOf(done, cells)),
  };
  const report = await importRows(ctx, table, source, await fieldColumns(ctx));
  if (isDryRun || report.errors.length > 0) {
    await setState(row, { state: "CHECKED", report: reportOf(report, cells) });
  } else {
    await removeUnreferenced({ organizationId: row.organizationId, sha256: row.sha256! });
  }
}

type Table = { rows: ReadRow[]; errors: RowError[] };

async function read(ctx: Owner, { sha256, mapping }: ImportRow): Promise<Table> {
  const days = (await customFieldsOf(ctx)).filter(({ type }) => type === "date");
  const dayColumns = days.map(({ key }) => columnOfKey(key));
  const { currency, actor } = ctx;
  try {
    const { errors, ...packed } = await withStoredFile(ctx.organizationId, sha256!, (path) => {
      const reading = { path, mapping: mapping as Mapping, ownerId: actor.id, currency, dayColumns };
      return runInChild(csvParser, reading, limits, turnOf(ctx));
    });
    return { rows: await unpack(packed), errors };
  } catch (error) {
    if (!(error instanceof ParserFailed) || error.reason === "stalled") throw error;
    log().warn({ organizationId: ctx.organizationId, error: error.message }, "a CSV could not be read");
    const message = "takes too long to read: split the file";
    return { rows: [], errors: [{ line: 1, path: "", message }] };
  }
}

type Cells = Map<number, Record<string, string>>;

function reportOf(
  {
    rows,
    contracts,
    counterparties,
    errors,
  }: Pick<ImportReport, "rows" | "contracts" | "counterparties"> & {
    errors: RowError[];
  },
  cells: Cells,
): ImportReport {
  const shown = errors.slice(0, maxErrors).map(({ line, path, message }) => {
    const cell = cells.get(line)?.[path];
    return { line, path, message: excerpt(message), cell: cell === undefined ? null : excerpt(cell) };
  });
  return { rows, contracts, counterparties, errorCount: errors.length, errors: shown };
}

/** Shortens text from the file, and removes NUL, which the database cannot store. */
const excerpt = (text: string) => text.replaceAll("\u0000", "").slice(0, 300).toWellFormed();

/** Marks the import as done in the transaction of the contracts. Throws if another run of the same job was first. */
async function finish(
  tx: Transaction,
  { organizationId, id }: ImportRow,
  report: ImportReport,
): Promise<void> {
  const { count } = await tx.contractImport.updateMany({
    where: { organizationId, id, state: "IMPORTING" },
    data: { state: "DONE", report, rowsDone: report.rows, sha256: null, origin: {} },
  });
  if (count === 0) throw new Error(`The import ${id} was already completed.`);
}

/** Ends a check or an import, unless its state has changed meanwhile; whose request started it is deleted. */
async function setState(
  { organizationId, id, state }: ImportRow,
  data: { state: string; report?: ImportReport },
): Promise<void> {
  await housekeeping((store) =>
    store.contractImport.updateMany({ where: { organizationId, id, state }, data: { ...data, origin: {} } }),
  );
}

async function recordProgress({ organizationId, id }: ImportRow, rowsDone: number): Promise<void> {
  await housekeeping((store) =>
    store.contractImport.updateMany({
      where: { organizationId, id, state: "IMPORTING" },
      data: { rowsDone },
    }),
  );
}
