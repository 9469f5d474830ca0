/** What an import is going to make, and everything that is wrong with its rows by themselves. */
import { setImmediate } from "node:timers/promises";
import { select } from "#lib/core/change.ts";
import type { Context } from "#lib/core/context.ts";
import type { Issue } from "#lib/core/errors.ts";
import { type Rule, requirementOf } from "#lib/required-approvals/evaluate.ts";
import { readRules } from "#lib/required-approvals/facts.ts";
import { type FoundDocument, openFolder } from "./folder.ts";
import { type ParsedRow, type Row, type RowError, type RowLookups, readRow } from "./rows.ts";

export interface PlannedRow extends ParsedRow {
  line: number;
  document: FoundDocument | null;
}

export type ImportProgress = (what: "checked" | "made", done: number, of: number) => void | Promise<void>;

interface Source extends Pick<RowLookups, "customFieldsIn"> {
  folder: string | null;
  dryRun: boolean;
  onProgress?: ImportProgress | undefined;
}

const yieldEveryRows = 100;

/** Each is read by a process of its own (folder.ts). */
const filesAtOnce = 2;

export async function planRows(
  ctx: Context,
  rows: Row[],
  { folder, dryRun, onProgress, customFieldsIn }: Source,
  errors: RowError[],
): Promise<PlannedRow[]> {
  const parties = await knownParties(ctx);
  const { ownerOf, unknownIds } = await knownPeople(ctx, parties);
  const unapproved = await approvalsMissing(ctx, parties);
  const known = { ownerOf, customFieldsIn };
  const files = await openFolder(ctx, folder, dryRun);
  const plans: PlannedRow[] = [];
  const seen = new Map<string, number>();
  const look = async (row: Row, place: number) => {
    const { wanted, issues } = readRow(row, known);
    if (wanted) issues.push(...unknownIds(wanted), ...unapproved(wanted));
    const document = wanted?.fileName ? await files.read(wanted.fileName, issues, place) : null;
    return { line: row.line, wanted, issues, document };
  };
  try {
    for (let at = 0; at < rows.length; at += filesAtOnce) {
      const batch = rows.slice(at, at + filesAtOnce);
      for (const { line, wanted, issues, document } of await Promise.all(batch.map(look))) {
        const before = document && seen.get(document.sha256);
        if (before) issues.push({ path: "fileName", message: `is the same document as in line ${before}` });
        if (document) seen.set(document.sha256, line);
        errors.push(...issues.map((issue) => ({ line, ...issue })));
        if (wanted && issues.length === 0) plans.push({ ...wanted, document, line });
      }
      await onProgress?.("checked", at + batch.length, rows.length);
      // A worker may share its process with a server, whose requests have their turn in between.
      if (at % yieldEveryRows === 0) await setImmediate();
    }
  } finally {
    files.close();
  }
  return plans;
}

interface Party {
  id: string;
  name: string;
  relationshipTypes: string[];
}

export async function knownParties(ctx: Context): Promise<Party[]> {
  return select<Party>(
    `SELECT id, name, relationship_types AS "relationshipTypes" FROM counterparties
     WHERE organization_id = $1 ORDER BY id`,
    [ctx.organizationId],
  );
}

/** The counterparties that have to be made, each once, by their names in lower case. */
export function newPartyNames(plans: PlannedRow[], parties: Party[]): Map<string, string> {
  const known = new Set(parties.map(({ name }) => name.toLowerCase()));
  const names = plans
    .filter(({ contract }) => !contract.counterpartyId)
    .flatMap(({ counterpartyName }) => (counterpartyName === null ? [] : [counterpartyName]));
  return new Map(
    names.filter((name) => !known.has(name.toLowerCase())).map((name) => [name.toLowerCase(), name]),
  );
}

/** A member imports nothing as approved that rules want others to approve. What a key or an operator says is taken. */
async function approvalsMissing(ctx: Context, parties: Party[]) {
  const rules: Rule[] = ctx.actor.kind === "user" ? await readRules(ctx) : [];
  const byName = new Map(parties.map((party) => [party.name.toLowerCase(), party]));
  const byId = new Map(parties.map((party) => [party.id, party]));
  return ({ contract, status, counterpartyName }: ParsedRow): Issue[] => {
    if (status !== "APPROVED" || rules.length === 0) return [];
    const { type, ourRole, valueCents, valueCurrency, counterpartyId } = contract;
    const party = counterpartyId
      ? byId.get(counterpartyId)
      : byName.get(counterpartyName?.toLowerCase() ?? "");
    const { rules: applying } = requirementOf(rules, {
      ...{ type, ourRole, origin: "NONE", relationshipTypes: party?.relationshipTypes ?? null },
      ...{ valueCents: valueCents == null ? null : String(valueCents), valueCurrency: valueCurrency ?? null },
    });
    if (applying.length === 0) return [];
    const names = applying.map(({ name }) => `“${name}”`).join(", ");
    return [
      { path: "status", message: `It needs the approval that ${names} asks for: import it as in review.` },
    ];
  };
}

/** Whom rows can name. */
async function knownPeople(ctx: Context, parties: Party[]) {
  const owners = await select<{ id: string; email: string }>(
    `SELECT u.id, u.email FROM members m JOIN users u ON u.id = m.user_id
     WHERE m.organization_id = $1 AND m.removed_at IS NULL`,
    [ctx.organizationId],
  );
  const byEmail = new Map(owners.map(({ id, email }) => [email.toLowerCase(), id]));
  const ownerIds = new Set(owners.map(({ id }) => id));
  const partyIds = new Set(parties.map(({ id }) => id));
  return {
    ownerOf: (email: string) => byEmail.get(email.toLowerCase()),
    unknownIds({ contract }: ParsedRow): Issue[] {
      const issues: Issue[] = [];
      if (!ownerIds.has(contract.ownerId)) {
        issues.push({ path: "ownerId", message: "is not the userId of an active member of this workspace" });
      }
      if (contract.counterpartyId && !partyIds.has(contract.counterpartyId)) {
        issues.push({ path: "counterpartyId", message: "is not a counterparty of this workspace" });
      }
      return issues;
    },
  };
}
