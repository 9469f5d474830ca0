/** Creates, changes and archives templates. Every save of the document or the settings adds a revision. */

import { change, differences } from "#lib/core/change.ts";
import { type Context, own } from "#lib/core/context.ts";
import type { Prisma, Transaction } from "#lib/core/db.ts";
import { invalid, Refusal } from "#lib/core/errors.ts";
import type { Entry } from "#lib/core/history.ts";
import { newId } from "#lib/core/ids.ts";
import type { StoredUpload } from "#lib/core/operation.ts";
import { customFieldsOf } from "#lib/custom-fields/custom-fields.ts";
import { lockExistingFile } from "#lib/storage/hold.ts";
import { readTags } from "./document.ts";
import type { TemplateTags } from "./inspect.ts";
import { asJson, columnsFor, findTemplate, settingsOf, type TemplateRow, tagsOf } from "./rows.ts";
import { type PartialSettings, TemplateSettings } from "./schema.ts";
import { carriedOver, settingsFor } from "./settings.ts";
import { settingsIssues } from "./settings-issues.ts";

/** A DOCX that is stored already. */
export interface TemplateFile {
  fileName: string;
  sha256: string;
  sizeBytes: number;
}

/** The settings of a new template; what is not given is guessed from the tags. */
export type NewTemplate = PartialSettings & { file: TemplateFile };

/** Creates a template from a stored DOCX. `found` skips reading the tags of a document of our own. */
export async function createTemplate(
  ctx: Context,
  { file, ...said }: NewTemplate,
  found?: TemplateTags,
): Promise<TemplateRow> {
  const tags = found ?? (await readTags(ctx, file.sha256, "file"));
  const settings = settingsFor(tags, said, nameFrom(file.fileName));
  refuseWrong(settings, tags, await customFieldKeys(ctx));
  return change(ctx, async (tx, record) => {
    await lockExistingFile(tx, ctx.organizationId, file.sha256);
    const row = await tx.template.create({
      data: {
        ...own(ctx),
        id: newId("template"),
        ...columnsFor(settings, tags),
        ...file,
        createdAt: ctx.now,
        updatedAt: ctx.now,
      },
    });
    await writeRevision(tx, ctx, row, settings);
    record({
      action: "TEMPLATE_CREATED",
      target: { type: "template", id: row.id },
      changes: { name: { from: null, to: row.name }, fileName: { from: null, to: row.fileName } },
    });
    return row;
  });
}

/** Creates a template from an uploaded DOCX. */
export async function uploadTemplate(
  ctx: Context,
  { file: { fileName }, ...said }: Uploaded & PartialSettings,
  stored?: StoredUpload,
): Promise<TemplateRow> {
  return createTemplate(ctx, { ...said, file: fileFrom(fileName, stored) });
}

/** Replaces a template's document by an uploaded DOCX. */
export async function uploadDocument(
  ctx: Context,
  { id, file: { fileName }, revision }: Uploaded & { id: string; revision?: number | undefined },
  stored?: StoredUpload,
): Promise<TemplateRow> {
  return replaceDocument(ctx, { id, revision, file: fileFrom(fileName, stored) });
}

type Uploaded = { file: { fileName: string } };

function fileFrom(fileName: string, stored: StoredUpload | undefined): TemplateFile {
  if (!stored) throw invalid({ path: "file", message: "is required" });
  return { fileName, sha256: stored.sha256, sizeBytes: stored.sizeBytes };
}

/** Turns `mutual-nda_v2.docx` into a name: mutual nda v2. */
function nameFrom(fileName: string): string {
  const name = fileName
    .replace(/\.docx$/i, "")
    .replace(/[-_\s]+/g, " ")
    .trim()
    .slice(0, 200)
    .toWellFormed()
    .replace(/\ufffd$/, "");
  return name || "Template";
}

const customFieldKeys = async (ctx: Context) => (await customFieldsOf(ctx)).map(({ key }) => key);

function refuseWrong(settings: TemplateSettings, found: TemplateTags, fieldKeys: string[]): void {
  const issues = settingsIssues(settings, found, fieldKeys);
  if (issues.length > 0) throw invalid(...issues);
  // A template that cannot be parsed again would break every list that includes it.
  TemplateSettings.parse(asJson(settings));
}

/** Replaces all settings. With `revision`: only if nobody has saved since that revision. */
export async function saveSettings(
  ctx: Context,
  { id, revision, ...settings }: TemplateSettings & { id: string; revision?: number | undefined },
): Promise<TemplateRow> {
  const fieldKeys = await customFieldKeys(ctx);
  return save(ctx, id, revision, (before) => {
    const found = tagsOf(before);
    refuseWrong(settings, found, fieldKeys);
    return { settings, found };
  });
}

/** Replaces the document; settings of tags that remain are kept. */
export async function replaceDocument(
  ctx: Context,
  { id, file, revision }: { id: string; file: TemplateFile; revision?: number | undefined },
): Promise<TemplateRow> {
  const { sha256 } = await findTemplate(ctx, id);
  const found = await readTags(ctx, file.sha256, "file");
  const present = await readTags(ctx, sha256, "file").catch(nullIfRefused);
  const fieldKeys = await customFieldKeys(ctx);
  return save(ctx, id, revision, (before) => {
    const replaced = before.sha256 === sha256 ? present : null;
    const settings = settingsFor(found, carriedOver(settingsOf(before), found, replaced), before.name);
    refuseWrong(settings, found, fieldKeys);
    return { settings, found, file };
  });
}

/** A document accepted earlier may be rejected by today's checks. */
function nullIfRefused(error: unknown): null {
  if (error instanceof Refusal) return null;
  throw error;
}

interface Plan {
  settings: TemplateSettings;
  found: TemplateTags;
  file?: TemplateFile;
}

/** Saves the differences as the next revision; does nothing if there are none. */
async function save(
  ctx: Context,
  id: string,
  expected: number | undefined,
  plan: (before: TemplateRow) => Plan,
): Promise<TemplateRow> {
  return change(ctx, async (tx, record) => {
    const before = await lockTemplate(tx, ctx, id);
    if (expected !== undefined && before.revision !== expected) {
      throw new Refusal(
        "conflict",
        "Someone else has saved this template since you opened it. Reload it and try again.",
      );
    }
    const { settings, found, file = fileOf(before) } = plan(before);
    if (file.sha256 !== before.sha256) await lockExistingFile(tx, ctx.organizationId, file.sha256);
    const { changes } = differences<object>(
      { ...asJson(settingsOf(before)), ...fileOf(before) },
      { ...asJson(settings), ...file },
    );
    if (Object.keys(changes).length === 0) return before;
    const data = {
      ...columnsFor(settings, found),
      ...file,
      revision: before.revision + 1,
      updatedAt: ctx.now,
    };
    const row = await tx.template.update({ where: { organizationId_id: { ...own(ctx), id } }, data });
    await writeRevision(tx, ctx, row, settings);
    record({
      action: "TEMPLATE_UPDATED",
      target: { type: "template", id },
      changes: recorded(changes, before.revision, row.revision),
    });
    return row;
  });
}

/** Lists are too long for the log: the revision has them in full. */
function recorded(changes: NonNullable<Entry["changes"]>, from: number, to: number): Entry["changes"] {
  const short = Object.entries(changes).map(([name, { from, to }]) =>
    Array.isArray(from) || Array.isArray(to) ? [name, { from: null, to: "changed" }] : [name, { from, to }],
  );
  return { ...Object.fromEntries(short), revision: { from, to } };
}

/**
 * Locks the template, so that revisions are numbered without gaps. NO KEY: does not block contracts being created
 * from it.
 */
async function lockTemplate(tx: Transaction, ctx: Context, id: string): Promise<TemplateRow> {
  await tx.$queryRaw`SELECT 1 FROM templates
    WHERE organization_id = ${ctx.organizationId} AND id = ${id} FOR NO KEY UPDATE`;
  return findTemplate(ctx, id);
}

function fileOf({ fileName, sha256, sizeBytes }: TemplateRow): TemplateFile {
  return { fileName, sha256, sizeBytes };
}

async function writeRevision(
  tx: Transaction,
  ctx: Context,
  row: TemplateRow,
  settings: TemplateSettings,
): Promise<void> {
  const author = ctx.actor.kind === "user" ? ctx.actor : null;
  await tx.templateRevision.create({
    data: {
      ...own(ctx),
      ...fileOf(row),
      templateId: row.id,
      number: row.revision,
      settings: asJson(settings) as Prisma.InputJsonObject,
      authorId: author?.id ?? null,
      authorName: author?.name ?? null,
      createdAt: ctx.now,
    },
  });
}

/** Archives or restores a template: contracts created from it stay; new ones require that it is not archived. */
export async function archiveTemplate(ctx: Context, id: string, isArchived: boolean): Promise<TemplateRow> {
  return change(ctx, async (tx, record) => {
    const before = await lockTemplate(tx, ctx, id);
    if ((before.archivedAt !== null) === isArchived) return before;
    const archivedAt = isArchived ? ctx.now : null;
    const row = await tx.template.update({
      where: { organizationId_id: { ...own(ctx), id } },
      data: { archivedAt, updatedAt: ctx.now },
    });
    record({
      action: isArchived ? "TEMPLATE_ARCHIVED" : "TEMPLATE_RESTORED",
      target: { type: "template", id },
      changes: { archivedAt: { from: before.archivedAt, to: archivedAt } },
    });
    return row;
  });
}
