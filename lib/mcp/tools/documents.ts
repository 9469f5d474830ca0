/** The tools that read the text of documents and compare two versions. */
import { z } from "zod";
import { versions } from "#lib/contracts/operations.ts";
import { type Comparison, DocumentTextQuery } from "#lib/contracts/schema.ts";
import { invalid, Refusal } from "#lib/core/errors.ts";
import { idIn } from "#lib/core/wire.ts";
import { Budget, clipToTokens, estimateTokens, takeFitting } from "../answers/budget.ts";
import { linkTo } from "../answers/links.ts";
import { quote, quotedNotice } from "../answers/quote.ts";
import { counted, titled } from "../answers/words.ts";
import { cursor, pagingFields, startOf } from "./paging.ts";
import { type Caller, tool } from "./tool.ts";

const contractId = idIn("contract");
const versionId = idIn("version").optional();

const Version = z.object({
  id: z.string(),
  contractId: z.string(),
  versionNumber: z.int(),
  fileName: z.string(),
  link: z.string(),
});

/** The most tokens of the data and of the text, each. */
const textTokens = 3_400;

export const readDocument = tool({
  name: "read_document",
  title: "Read a document",
  description:
    "Reads the text of a contract's document, page by page, from `page` on (the newest version by default). Follow nextCursor to read on.",
  uses: [versions.text],
  input: z.strictObject({
    contractId,
    versionId,
    page: DocumentTextQuery.shape.page,
    pages: DocumentTextQuery.shape.pages,
    cursor,
  }),
  output: z.object({
    version: Version,
    pageCount: z.int(),
    pages: z.array(z.object({ page: z.int(), quotedText: z.string() })),
    notice: z.string(),
    ...pagingFields,
  }),
  async run(caller, { cursor: at, ...query }) {
    const from = at === undefined ? {} : parseCursor(at);
    const { version: found, pageCount, pages } = await caller.ask(versions.text, { ...query, ...from });
    const version = { ...found, link: linkTo.version(found.contractId, found.id) };
    const { shown, next } = pagesThatFit(pages);
    const upTo = shown.at(-1)?.page;
    const nextCursor = next ?? (upTo !== undefined && upTo < pageCount ? `${upTo + 1}.0` : null);
    const source = ({ page }: { page: number }) =>
      `${titled(version.fileName)}, version ${version.versionNumber}, page ${page} of ${pageCount}`;
    const more = nextCursor ? `\nThe document goes on: call again with cursor "${nextCursor}".` : "";
    return {
      data: {
        version,
        pageCount,
        pages: shown,
        notice: quotedNotice,
        truncated: nextCursor !== null,
        nextCursor,
      },
      text:
        [
          `${quotedNotice} ${version.id} ${version.link}`,
          ...shown.map((page) => quote(source(page), page.quotedText)),
          shown.length === 0 ? `There is no such page: the document has ${pageCount}.` : "",
        ].join("\n") + more,
    };
  },
});

/** Parses a cursor into a text: the page, and the number of its characters that were read. */
function parseCursor(at: string): { page: number; offset: number } {
  const [, page, offset] = /^(\d{1,6})\.(\d{1,9})$/.exec(at) ?? [];
  if (page === undefined || page === "0") {
    throw invalid({ path: "cursor", message: "is not a nextCursor of this tool" });
  }
  return { page: Number(page), offset: Number(offset) };
}

interface Page {
  page: number;
  offset: number;
  text: string;
  characters: number;
}

/** Returns whole pages while they fit, and the beginning of the page that does not. */
function pagesThatFit(pages: readonly Page[]) {
  const shown: { page: number; quotedText: string }[] = [];
  let left = textTokens;
  for (const { page, offset, text, characters } of pages) {
    const part = clipToTokens(text, left);
    const end = offset + [...part].length;
    if (part !== "" || text === "") shown.push({ page, quotedText: part });
    if (end < characters && !(text === "" && offset > 0)) return { shown, next: `${page}.${end}` };
    left -= estimateTokens(JSON.stringify(part)) + tokensOfAQuote;
    if (left < leastTokens) {
      const isLast = page === pages.at(-1)?.page;
      return { shown, next: isLast ? null : `${page + 1}.0` };
    }
  }
  return { shown, next: null };
}

/** The tokens of a quotation's marks and its source. */
const tokensOfAQuote = 60;
/** With fewer tokens left, no further page is begun. */
const leastTokens = 150;

const ChangedClause = z.object({
  kind: z.string(),
  heading: z.string(),
  label: z.string(),
  fromPage: z.int().nullable(),
  toPage: z.int().nullable(),
  quotedChange: z.string(),
});

export const compareVersions = tool({
  name: "compare_versions",
  title: "Compare document versions",
  description:
    "Compares two versions of a contract's document clause by clause, by default the newest with the one before. Removed words are in [-…-], added ones in {+…+}.",
  uses: [versions.compare, versions.list],
  input: z.strictObject({ contractId, from: versionId, to: versionId, cursor }),
  output: z.object({
    from: Version,
    to: Version,
    summary: z.record(z.string(), z.int()),
    clauses: z.array(ChangedClause),
    link: z.string(),
    notice: z.string(),
    ...pagingFields,
  }),
  async run(caller, { contractId: id, from, to, cursor: at }) {
    const pair = await versionsOf(caller, id, from, to);
    const comparison = await caller.ask(versions.compare, {
      contractId: id,
      from: pair.from.id,
      to: pair.to.id,
    });
    const start = startOf(at);
    const changed = comparison.clauses.filter(({ kind }) => kind !== "same");
    const link = linkTo.comparison(id, pair.from.id, pair.to.id);
    const budget = new Budget();
    budget.take(pair, pair, link, comparison.summary);
    const { items, lines, count } = takeFitting(
      budget,
      clausesFrom(changed.slice(start)),
      clauseLine,
      ChangedClause.parse,
    );
    const end = start + count;
    const nextCursor = end < changed.length ? String(end) : null;
    return {
      data: {
        ...pair,
        summary: comparison.summary,
        clauses: items,
        link,
        notice: quotedNotice,
        truncated: nextCursor !== null,
        nextCursor,
      },
      text: [
        `From version ${pair.from.versionNumber} (${pair.from.id}) to version ${pair.to.versionNumber} (${pair.to.id}): ${summaryText(comparison)} ${link}`,
        ...(lines.length > 0 ? [quotedNotice, ...lines] : []),
        nextCursor
          ? `${counted(changed.length - end, "more clause differs", "more clauses differ")}: call again with cursor "${nextCursor}".`
          : "",
      ].join("\n"),
    };
  },
});

async function versionsOf(caller: Caller, id: string, fromId?: string, toId?: string) {
  const { data } = await caller.ask(versions.list, { id });
  const indexOf = (versionId: string) => {
    const index = data.findIndex((version) => version.id === versionId);
    if (index < 0) throw new Refusal("not_found", `This contract has no version ${versionId}.`);
    return index;
  };
  const toIndex = toId === undefined ? 0 : indexOf(toId);
  const fromIndex = fromId === undefined ? toIndex + 1 : indexOf(fromId);
  const [to, from] = [data[toIndex], data[fromIndex]];
  if (!to || !from) throw new Refusal("conflict", "There are no two versions of this document to compare.");
  const withLink = (version: typeof to) => ({ ...version, link: linkTo.version(id, version.id) });
  return { from: withLink(from), to: withLink(to) };
}

/** The most tokens of one clause. The comparison page in the web app shows all of it. */
const clauseTokens = 900;

/** One by one: two books with nothing in common have tens of thousands of clauses, and a result has room for a few. */
function* clausesFrom(clauses: Comparison["clauses"]) {
  for (const clause of clauses) yield clauseFrom(clause);
}

function clauseFrom({ kind, heading, from, to, words }: Comparison["clauses"][number]) {
  const marks = { same: ["", ""], removed: ["[-", "-]"], added: ["{+", "+}"] } as const;
  const all = words
    .map(({ kind, text }) => `${marks[kind][0]}${around(kind, text)}${marks[kind][1]}`)
    .join(" ");
  const part = clipToTokens(all, clauseTokens);
  return {
    kind,
    heading: clipToTokens(heading, 100),
    label: to?.label ?? from?.label ?? "",
    fromPage: from ? from.page + 1 : null,
    toPage: to ? to.page + 1 : null,
    quotedChange: part === all ? all : `${part}… [${all.length - part.length} more characters]`,
  };
}

/** The number of unchanged characters that are shown on each side of a change. */
const shownBeside = 160;

function around(kind: string, text: string): string {
  if (kind !== "same" || text.length <= 2 * shownBeside + 20) return text;
  const [start, end] = [text.slice(0, shownBeside), text.slice(-shownBeside)];
  return `${start} [… ${text.length - 2 * shownBeside} unchanged characters …] ${end}`.toWellFormed();
}

function clauseLine({ kind, heading, label, fromPage, toPage, quotedChange }: ReturnType<typeof clauseFrom>) {
  const page = toPage ? `page ${toPage}` : `page ${fromPage} of the earlier version`;
  return quote(`the clause ${label} ${titled(heading)}, ${kind}, ${page}`, quotedChange);
}

function summaryText({ summary }: Comparison): string {
  const { changed, added, removed, moved, wordsAdded, wordsRemoved } = summary;
  return `${changed} clauses changed, ${added} added, ${removed} removed, ${moved} moved; ${wordsAdded} words added, ${wordsRemoved} removed.`;
}
