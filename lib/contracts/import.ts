/** Brings contracts from a CSV, with their documents: all rows in one change, or none. */
import { createReadStream } from "node:fs";
import { readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { change, type Recorder, select } from "#lib/core/change.ts";
import type { Context } from "#lib/core/context.ts";
import type { Transaction } from "#lib/core/db.ts";
import { type Issue, Refusal } from "#lib/core/errors.ts";
import { createCounterparty } from "#lib/counterparties/counterparties.ts";
import { type Stored, store } from "#lib/storage/store.ts";
import { createContract, moveContract } from "./contracts.ts";
import { documentField, inspectDocument } from "./documents.ts";
import { type Row, type RowError, readRow, readTable, type Wanted } from "./import-rows.ts";
import type { ContractStatus } from "./lifecycle.ts";
import { addVersion } from "./versions.ts";

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

interface Planned extends Wanted {
  line: number;
  document: (Stored & { contentType: string; pageCount: number | null; fileName: string }) | null;
}

/** Reads and checks everything, then makes everything. Any error, and nothing is made. */
export async function importContracts(ctx: Context, request: Import): Promise<ImportReport> {
  const { rows, errors } = readTable(request.csv);
  const plans = await planRows(ctx, rows, request, errors);
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
    await makeAll(ctx, plans, names.size, request);
    return report([]);
  } catch (error) {
    if (error instanceof RowRefused) return report([error.row]);
    throw error;
  }
}

/** A row that was fine by itself, and not together with what the workspace has. */
class RowRefused extends Error {
  readonly row: RowError;

  constructor(row: RowError) {
    super(row.message);
    this.row = row;
  }
}

/** Each in a process of its own (lib/documents/sandbox/child.ts); no one else is served by this one, so each is a share. */
const filesAtOnce = 2;

async function planRows(ctx: Context, rows: Row[], request: Import, errors: RowError[]): Promise<Planned[]> {
  const owners = await select<{ id: string; email: string }>(
    `SELECT u.id, u.email FROM members m JOIN users u ON u.id = m.user_id
     WHERE m.organization_id = $1 AND m.removed_at IS NULL`,
    [ctx.organizationId],
  );
  const byEmail = new Map(owners.map(({ id, email }) => [email.toLowerCase(), id]));
  const ownerIds = new Set(owners.map(({ id }) => id));
  const partyIds = new Set((await knownParties(ctx)).map(({ id }) => id));
  const files = await filesIn(request.folder);
  const plans: Planned[] = [];
  const seen = new Map<string, number>();
  const look = async (row: Row, place: number) => {
    const { wanted, issues } = readRow(row, (email) => byEmail.get(email.toLowerCase()));
    if (wanted) issues.push(...unknownIds(wanted, ownerIds, partyIds));
    const document = wanted?.fileName
      ? await readFileOf(ctx, wanted.fileName, files, request, issues, place)
      : null;
    return { line: row.line, wanted, issues, document };
  };
  for (let at = 0; at < rows.length; at += filesAtOnce) {
    const batch = rows.slice(at, at + filesAtOnce);
    for (const { line, wanted, issues, document } of await Promise.all(batch.map(look))) {
      const before = document && seen.get(document.sha256);
      if (before) issues.push({ path: "fileName", message: `is the same document as in line ${before}` });
      if (document) seen.set(document.sha256, line);
      errors.push(...issues.map((issue) => ({ line, ...issue })));
      if (wanted && issues.length === 0) plans.push({ ...wanted, document, line });
    }
    request.onProgress?.("checked", at + batch.length, rows.length);
  }
  return plans;
}

interface Party {
  id: string;
  name: string;
}

async function knownParties(ctx: Context): Promise<Party[]> {
  return select<Party>(`SELECT id, name FROM counterparties WHERE organization_id = $1 ORDER BY id`, [
    ctx.organizationId,
  ]);
}

function unknownIds({ contract }: Wanted, ownerIds: Set<string>, partyIds: Set<string>): Issue[] {
  const issues: Issue[] = [];
  if (!ownerIds.has(contract.ownerId)) {
    issues.push({ path: "ownerId", message: "is not the userId of an active member of this workspace" });
  }
  if (contract.counterpartyId && !partyIds.has(contract.counterpartyId)) {
    issues.push({ path: "counterpartyId", message: "is not a counterparty of this workspace" });
  }
  return issues;
}

/** The files of the folder itself, by name: no name leads out of it, and no link is followed. */
async function filesIn(folder: string | null): Promise<Map<string, string>> {
  if (folder === null) return new Map();
  const entries = await readdir(folder, { withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return new Map(files.map(({ name }) => [name.normalize("NFC"), join(resolve(folder), name)]));
}

async function readFileOf(
  ctx: Context,
  fileName: string,
  files: Map<string, string>,
  { folder, dryRun }: Import,
  issues: Issue[],
  place: number,
): Promise<Planned["document"]> {
  const wrong = (message: string) => {
    issues.push({ path: "fileName", message });
    return null;
  };
  if (folder === null) return wrong("names a document: say with --files where it lies");
  const path = files.get(fileName.normalize("NFC"));
  if (!path) return wrong(`is not a file of the folder: ${fileName}`);
  const found = await inspectDocument({ path, fileName, contentType: "" }, { share: `import ${place}` });
  if ("wrong" in found) return wrong(found.wrong.map(({ message }) => message).join("; "));
  const { limitBytes } = documentField;
  try {
    // A dry run looks at files and keeps none: the sweep would have to remove them.
    const stored = dryRun
      ? { sha256: path, sizeBytes: 0 }
      : await store(ctx.organizationId, createReadStream(path), { limitBytes });
    return { ...found, ...stored, fileName };
  } catch (error) {
    if (error instanceof Refusal && error.code === "file_too_large") return wrong("is larger than 50 MB");
    throw error;
  }
}

/** The counterparties that have to be made, each once, by their names in lower case. */
function newNames(plans: Planned[], parties: Party[]): Map<string, string> {
  const known = new Set(parties.map(({ name }) => name.toLowerCase()));
  const names = plans
    .filter(({ contract }) => !contract.counterpartyId)
    .flatMap(({ counterpartyName }) => (counterpartyName === null ? [] : [counterpartyName]));
  return new Map(
    names.filter((name) => !known.has(name.toLowerCase())).map((name) => [name.toLowerCase(), name]),
  );
}

/** On two busy cores the most rows took three minutes. */
const timeoutMs = 15 * 60_000;

async function makeAll(
  ctx: Context,
  plans: Planned[],
  counterparties: number,
  { onProgress }: Import,
): Promise<void> {
  const make = async (_: Transaction, record: Recorder) => {
    const parties = await knownParties(ctx);
    // Of two that are called alike, the older one.
    const byName = new Map(parties.toReversed().map(({ id, name }) => [name.toLowerCase(), id]));
    for (const [index, plan] of plans.entries()) {
      const partyId = plan.contract.counterpartyId ?? (await partyOf(ctx, plan, byName));
      await makeOne(ctx, { ...plan, contract: { ...plan.contract, counterpartyId: partyId } });
      onProgress?.("made", index + 1, plans.length);
    }
    record({
      action: "DATA_IMPORTED",
      target: { type: "workspace", id: ctx.organizationId },
      changes: {
        contracts: { from: null, to: plans.length },
        counterparties: { from: null, to: counterparties },
        documents: { from: null, to: plans.filter(({ document }) => document).length },
      },
    });
  };
  await change(ctx, make, { timeoutMs });
}

async function partyOf(ctx: Context, { counterpartyName }: Planned, byName: Map<string, string>) {
  if (counterpartyName === null) return null;
  const known = byName.get(counterpartyName.toLowerCase());
  if (known) return known;
  const { id } = await createCounterparty(ctx, { name: counterpartyName });
  byName.set(counterpartyName.toLowerCase(), id);
  return id;
}

async function makeOne(ctx: Context, { contract, status, document, line }: Planned): Promise<void> {
  try {
    const { id } = await createContract(ctx, contract);
    if (document) {
      await addVersion(ctx, { ...document, contractId: id, source: "IMPORTED", isNewToWorkspace: true });
    }
    for (const next of waysTo[status] ?? [status]) {
      if (next !== "DRAFT") await moveContract(ctx, { id, next });
    }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const path = error.code === "duplicate_document" ? "fileName" : "";
    throw new RowRefused({ line, path, message: error.message.replace(/ Send allowDuplicate.*/, "") });
  }
}

/** A contract comes to where it is by the moves that lead there. */
const waysTo: Partial<Record<ContractStatus, ContractStatus[]>> = {
  ACTIVE: ["EXECUTED", "ACTIVE"],
  EXPIRED: ["EXECUTED", "ACTIVE", "EXPIRED"],
  TERMINATED: ["EXECUTED", "TERMINATED"],
};
