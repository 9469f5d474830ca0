/** The text of a document version, page by page. */
import { reader, select } from "#lib/core/change.ts";
import { type Context, own } from "#lib/core/context.ts";
import { Refusal } from "#lib/core/errors.ts";
import type { DocumentText, DocumentTextQuery } from "./schema.ts";
import { findVersion, listVersions, type VersionRow } from "./versions.ts";

/** Returns the text of all pages of a version. */
export async function allPagesOf(ctx: Context, version: VersionRow): Promise<string[]> {
  refuseUnread(version);
  const pages = await reader().documentPage.findMany({
    where: { ...own(ctx), versionId: version.id },
    orderBy: { pageIndex: "asc" },
  });
  return pages.map(({ text }) => text);
}

/** The limit per page: a page may be as long as a book, but a response may not. */
const maxCharacters = 30_000;

/** Returns some pages of a version. The rest of a page that was cut off can be requested by its offset. */
export async function readText(ctx: Context, query: DocumentTextQuery): Promise<DocumentText> {
  const { contractId, versionId, page, offset, pages } = query;
  const version = versionId
    ? await findVersion(ctx, { contractId, versionId })
    : newest(await listVersions(ctx, contractId));
  refuseUnread(version);
  const values = [ctx.organizationId, version.id];
  const [counted] = await select<{ count: number }>(
    "SELECT count(*)::int AS count FROM document_pages WHERE organization_id = $1 AND version_id = $2",
    values,
  );
  const read = await select<DocumentText["pages"][number]>(
    `SELECT page_index + 1 AS page, char_length(text) AS characters,
       CASE WHEN page_index + 1 = $3 THEN $4::int ELSE 0 END AS offset,
       substr(text, CASE WHEN page_index + 1 = $3 THEN $4::int + 1 ELSE 1 END, ${maxCharacters}) AS text
     FROM document_pages WHERE organization_id = $1 AND version_id = $2 AND page_index >= $3 - 1
     ORDER BY page_index LIMIT $5`,
    [...values, page, offset, pages],
  );
  return { version, pageCount: counted?.count ?? 0, pages: read };
}

function newest([version]: VersionRow[]): VersionRow {
  if (!version) throw new Refusal("conflict", "This contract has no document yet.");
  return version;
}

function refuseUnread({ versionNumber, textState }: VersionRow): void {
  if (textState === "READY") return;
  const why =
    textState === "FAILED"
      ? `The text of version ${versionNumber} could not be read. Try again, or upload it as another file.`
      : `The text of version ${versionNumber} is still being read. Try again in a moment.`;
  throw new Refusal("conflict", why);
}
