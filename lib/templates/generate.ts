/**
 * Creates contracts from templates: the document first, then contract, obligations and version in one transaction.
 */

import { createContract } from "#lib/contracts/create.ts";
import { docxType } from "#lib/contracts/schema.ts";
import { addVersion } from "#lib/contracts/versions.ts";
import { change } from "#lib/core/change.ts";
import { type Context, hasScope } from "#lib/core/context.ts";
import type { Transaction } from "#lib/core/db.ts";
import { type Issue, invalid, invalidIfMissing, Refusal, rethrowWithIssues } from "#lib/core/errors.ts";
import { createCounterparty } from "#lib/counterparties/counterparties.ts";
import { createObligation } from "#lib/obligations/obligations.ts";
import { type Stored, store } from "#lib/storage/store.ts";
import { fillStored } from "./document.ts";
import { dataOf, type Resolution, resolve } from "./resolve.ts";
import { findTemplate, settingsOf, type TemplateRow } from "./rows.ts";
import type { Filling, NewContractFromTemplate, TemplateSettings } from "./schema.ts";
import { findByName, type Gathered, gather, unknownIn } from "./sources.ts";
import type { Data } from "./tagged.ts";
import { printValue } from "./values.ts";

/** Fills a template's document. */
export type Fill = (row: TemplateRow, data: Data, ctx: Context) => Promise<Uint8Array>;

const inChild: Fill = ({ sha256 }, data, ctx) => fillStored(ctx, sha256, data);

interface Prepared {
  row: TemplateRow;
  settings: TemplateSettings;
  gathered: Gathered;
  resolution: Resolution;
  issues: Issue[];
}

/** Resolves a document without creating anything. */
async function prepare(ctx: Context, filling: Filling): Promise<Prepared> {
  const row = await usableTemplate(ctx, filling.templateId).catch(
    rethrowWithIssues(() => unknownIn(ctx, filling)),
  );
  const settings = settingsOf(row);
  const gathered = await gather(ctx, settings, filling);
  const { title, variables, sections } = filling;
  const resolution = resolve(settings, { title, variables, sections }, gathered.sources);
  return { row, settings, gathered, resolution, issues: [...gathered.issues, ...resolution.issues] };
}

/**
 * Creates a contract from a template, in DRAFT, with its document as the first version. Throws with all missing and
 * conflicting values at once. `fill` can be replaced for templates known to be harmless.
 */
export async function createFromTemplate(
  ctx: Context,
  input: NewContractFromTemplate,
  fill: Fill = inChild,
): Promise<{ contractId: string; versionId: string }> {
  const prepared = await prepare(ctx, input);
  const makesParty = prepared.gathered.counterpartyId === null && input.counterpartyId === undefined;
  if (makesParty) refuseUnlessMayMake(ctx, input.counterpartyName ?? "");
  if (prepared.issues.length > 0) throw invalid(...prepared.issues);
  const stored = await store(ctx.organizationId, await fill(prepared.row, dataOf(prepared.resolution), ctx));
  return change(ctx, (tx) => create(ctx, tx, input, prepared, stored));
}

async function usableTemplate(ctx: Context, id: string): Promise<TemplateRow> {
  const row = await findTemplate(ctx, id).catch(
    invalidIfMissing({ path: "templateId", message: "is not a template of this workspace" }),
  );
  if (row.archivedAt === null) return row;
  throw invalid({ path: "templateId", message: "is archived: choose another template, or restore this one" });
}

/** The system fills templates for operators and the seed, who may do everything. */
function refuseUnlessMayMake(ctx: Context, name: string): void {
  if (ctx.actor.kind === "system" || hasScope(ctx, "counterparties:write")) return;
  const missing = `There is no counterparty "${name}", and creating one requires the scope counterparties:write`;
  if (ctx.assistant)
    throw new Refusal("insufficient_scope", `${missing}, which this connection does not have.`);
  if (ctx.actor.kind === "user") throw new Refusal("forbidden", `${missing}, which your role does not have.`);
  throw new Refusal("insufficient_scope", `${missing}, which the API key does not have.`);
}

async function create(
  ctx: Context,
  tx: Transaction,
  input: NewContractFromTemplate,
  { row, settings, gathered, resolution }: Prepared,
  stored: Stored,
) {
  const { templateId: _, counterpartyId: __, counterpartyName = "", variables, sections, ...terms } = input;
  const counterpartyId = gathered.counterpartyId ?? (await partyNamed(ctx, tx, counterpartyName));
  const { title } = resolution;
  const contract = await createContract(
    ctx,
    {
      ...terms,
      title,
      type: settings.contractType,
      ourRole: input.ourRole ?? settings.ourRole,
      counterpartyId,
    },
    { templateId: row.id, templateRevision: row.revision },
  );
  for (const { section, ...obligation } of settings.obligations) {
    if (section !== null && !resolution.sections.on[section]) continue;
    await createObligation(ctx, { ...obligation, contractId: contract.id, source: "TEMPLATE" });
  }
  const version = await addVersion(ctx, {
    ...stored,
    contractId: contract.id,
    source: "TEMPLATE",
    fileName: fileNameFor(title),
    contentType: docxType,
  });
  return { contractId: contract.id, versionId: version.id };
}

/** If two requests name the same new counterparty, the second uses the one created by the first. */
async function partyNamed(ctx: Context, tx: Transaction, name: string): Promise<string> {
  const lock = `counterparty ${ctx.organizationId} ${name.toLowerCase()}`;
  await tx.$queryRaw`SELECT pg_advisory_xact_lock(hashtextextended(${lock}, 0))::text`;
  return (await findByName(ctx, name)) ?? (await createCounterparty(ctx, { name })).id;
}

/** Turns a title into a file name that every system allows, and that uploads may have too (contracts/schema.ts). */
function fileNameFor(title: string): string {
  const name = title
    .replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "")
    .replace(/(?:[\p{Cc}\p{Emoji_Presentation}<>:"/\\|?*]|\uFE0F)+/gu, " ")
    .replace(/\s+/g, " ")
    .replace(/^[. ]+/, "")
    .trim();
  return `${name.slice(0, 120).toWellFormed().trim() || "Contract"}.docx`;
}

/** What a template's form shows: what is asked, what is filled so far, and what is still wrong. */
export async function checkTemplate(ctx: Context, filling: Filling) {
  const { settings, resolution, issues } = await prepare(ctx, filling);
  const { on, fixed } = resolution.sections;
  return {
    title: resolution.title,
    variables: resolution.variables.map(({ key, value, from, asked }) => ({
      ...{ key, asked, from },
      value: value && printValue(value),
    })),
    sections: settings.sections.map(({ tag }) => ({
      ...{ tag, on: on[tag] ?? false },
      canChoose: fixed[tag] === undefined,
      why: fixed[tag] ?? null,
    })),
    issues,
  };
}

/** The document as far as it can be filled: missing values show as their labels, such as [Governing law]. */
export async function draftDocument(ctx: Context, filling: Filling): Promise<Uint8Array> {
  const { row, settings, resolution } = await prepare(ctx, filling);
  const { values, sections } = dataOf(resolution);
  const open = settings.variables.filter(({ key, required }) => required && values[key] === "");
  const labels = Object.fromEntries(open.map(({ key, label }) => [key, `[${label}]`]));
  return inChild(row, { values: { ...values, ...labels }, sections }, ctx);
}
