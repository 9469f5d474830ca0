/** Reads templates, and converts a row to the API's Template. */

import { z } from "zod";
import { docxType } from "#lib/contracts/schema.ts";
import { mapInSlices } from "#lib/core/batches/slices.ts";
import { reader } from "#lib/core/change.ts";
import { type Context, own } from "#lib/core/context.ts";
import type { Prisma } from "#lib/core/db.ts";
import { notFound } from "#lib/core/errors.ts";
import { sortedByName } from "#lib/core/wire.ts";
import { signedUrl } from "#lib/storage/signed.ts";
import type { TemplateTags } from "./inspect.ts";
import { requiresInput } from "./resolve.ts";
import { TemplateSettings } from "./schema.ts";

export type TemplateRow = Prisma.TemplateGetPayload<object>;

/** A section as stored in its column: its settings and the beginning of its text. */
const StoredSections = z.array(z.looseObject({ tag: z.string(), preview: z.string() }));

/** A template's current settings. */
export function settingsOf(row: TemplateRow): TemplateSettings {
  const { name, description, contractType, ourRole, titlePattern } = row;
  const { variables, sectionGroups, obligations } = row;
  const sections = StoredSections.parse(row.sections).map(({ preview: _, ...settings }) => settings);
  const all = { name, description, contractType, ourRole, titlePattern };
  return TemplateSettings.parse({ ...all, variables, sections, sectionGroups, obligations });
}

/** The beginnings of the sections' texts, by tag. */
const previewsOf = (row: TemplateRow) =>
  new Map(StoredSections.parse(row.sections).map(({ tag, preview }) => [tag, preview]));

/** The tags of a template's document, as found on upload. */
export function tagsOf(row: TemplateRow): TemplateTags {
  const { variables, sections } = settingsOf(row);
  const previews = previewsOf(row);
  return {
    variables: variables.map(({ key, gates }) => ({ key, gates })),
    sections: sections.map(({ tag, gates }) => ({ tag, gates, preview: previews.get(tag) ?? "" })),
    anchors: row.anchors,
  };
}

/** The columns that store settings; each section with the beginning of its text. */
export function columnsFor(settings: TemplateSettings, found: TemplateTags) {
  const previews = new Map(found.sections.map(({ tag, preview }) => [tag, preview]));
  const sections = settings.sections.map((section) => ({
    ...section,
    preview: previews.get(section.tag) ?? "",
  }));
  return {
    ...asJson({ ...settings, sections }),
    anchors: found.anchors,
  };
}

/** Dates as text, as in JSON. */
export function asJson<T extends object>(
  value: T,
): { [K in keyof T]: T[K] extends unknown[] ? Prisma.InputJsonArray : T[K] } {
  return JSON.parse(JSON.stringify(value));
}

/** A template as the API returns it, with more for its editors. */
export function templateFrom(row: TemplateRow) {
  const { variables, sections, ...settings } = settingsOf(row);
  const previews = previewsOf(row);
  return {
    ...row,
    ...settings,
    variables: variables.map((variable) => ({ ...variable, requiresInput: requiresInput(variable) })),
    sections: sections.map((section) => ({ ...section, preview: previews.get(section.tag) || null })),
  };
}

/** Reading 5,000 variables takes some 20 ms, and a section with rules more than one. */
const slices = {
  weightOf: ({ variables, sections }: TemplateRow) => sizeOf(variables) + 10 * sizeOf(sections),
  most: 5_000,
};
const sizeOf = (list: Prisma.JsonValue) => (Array.isArray(list) ? list.length : 0);

/** Templates as the API returns them, by name. */
export async function templatesFrom(rows: TemplateRow[]) {
  return mapInSlices(sortedByName(rows), slices, templateFrom);
}

/** All templates that can be used, by name. */
export async function listTemplates(ctx: Context) {
  return {
    data: await templatesFrom(await reader().template.findMany({ where: { ...own(ctx), archivedAt: null } })),
  };
}

/** All templates including archived ones, by name. */
export async function listAllTemplates(ctx: Context) {
  return { data: await templatesFrom(await reader().template.findMany({ where: own(ctx) })) };
}

/** One template; archived ones can still be read. */
export async function findTemplate(ctx: Context, id: string): Promise<TemplateRow> {
  const row = await reader().template.findUnique({ where: { organizationId_id: { ...own(ctx), id } } });
  if (!row) throw notFound("template");
  return row;
}

/** The number of contracts created from a template, and the latest of them. */
export async function contractsFrom(ctx: Context, id: string) {
  await findTemplate(ctx, id);
  const where = { ...own(ctx), templateId: id };
  const latest = await reader().contract.findMany({
    where,
    select: { id: true, title: true, status: true, templateRevision: true, createdAt: true },
    orderBy: { createdAt: "desc" },
    take: 10,
  });
  return { total: await reader().contract.count({ where }), latest };
}

/** A short-lived link to a template's DOCX as uploaded. */
export async function documentLink(ctx: Context, id: string) {
  const { sha256, fileName } = await findTemplate(ctx, id);
  return signedUrl(ctx, { sha256, fileName, contentType: docxType, disposition: "attachment" });
}

/** Every revision, newest first. */
export async function templateHistory(ctx: Context, id: string) {
  await findTemplate(ctx, id);
  const revisions = await reader().templateRevision.findMany({
    where: { ...own(ctx), templateId: id },
    orderBy: { number: "desc" },
  });
  const data = revisions.map(({ authorId, authorName, ...revision }) => ({
    ...revision,
    author: authorId === null ? null : { id: authorId, name: authorName ?? "" },
  }));
  return { data };
}
