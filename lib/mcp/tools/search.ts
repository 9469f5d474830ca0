/** The tool that finds contracts by the text of their documents and by their own fields. */
import { z } from "zod";
import { contracts } from "#lib/contracts/operations.ts";
import { ContractQuery, contractPageSize } from "#lib/contracts/schema.ts";
import { invalid } from "#lib/core/errors.ts";
import { search } from "#lib/overview/search/operations.ts";
import { ClauseSearch } from "#lib/overview/search/schema.ts";
import { Budget } from "../answers/budget.ts";
import { quotedNotice } from "../answers/quote.ts";
import { counted } from "../answers/words.ts";
import { ClauseHit, type FoundClauses, findClauses } from "./clause-hits.ts";
import { ContractLine, contractFrom, contractLine } from "./contract-answers.ts";
import { cursor, pageWith, paginate, pagingFields } from "./paging.ts";
import { type Caller, tool } from "./tool.ts";

const { page: _, q, ...filters } = ContractQuery.shape;

/**
 * Parses a cursor: the number of contracts that were listed, then `c` and the number of clauses. A missing part means
 * that all of that kind were listed.
 */
function parseCursor(at: string | undefined): { start: number | null; skipped: number | null } {
  if (at === undefined) return { start: 0, skipped: 0 };
  const [, rows, clauses] = /^(\d{1,12})?(?:c(\d{1,6}))?$/.exec(at) ?? [];
  if (rows === undefined && clauses === undefined) {
    throw invalid({ path: "cursor", message: "is not a nextCursor of this tool" });
  }
  return {
    start: rows === undefined ? null : Number(rows),
    skipped: clauses === undefined ? null : Number(clauses),
  };
}

export const searchContracts = tool({
  name: "search_contracts",
  title: "Search contracts",
  description:
    "Finds contracts by words in their documents (clauses, with quotes and pages), by title or counterparty, and by filters such as status, end date or renewal. Without words it lists contracts; with contractId or versionId it finds clauses alone.",
  uses: [contracts.list],
  mayUse: [search.clauses],
  input: z.strictObject({
    q: q.meta({ description: "Words, a question, or a phrase in quotation marks" }),
    ...filters,
    contractId: ClauseSearch.shape.contractId,
    versionId: ClauseSearch.shape.versionId.unwrap().optional().meta({ description: "An older version" }),
    cursor,
  }),
  output: z.object({
    total: z.int().meta({ description: "Contracts that match by title, counterparty and filters" }),
    clauses: z.array(ClauseHit),
    contracts: z.array(ContractLine),
    ...pagingFields,
  }),
  async run(caller, { cursor: at, contractId, versionId, ...query }) {
    const { q: words } = query;
    const isWithin = contractId !== undefined || versionId !== undefined;
    if (isWithin && !words) throw invalid({ path: "q", message: "is what to look for in the document" });
    const place = parseCursor(at);
    const budget = new Budget();
    const clauses = await clausesFor(caller, { ...query, contractId, versionId }, place);
    budget.take(clauses.items, clauses.lines, clauses.note);
    const list = isWithin ? none : await contractsFrom(caller, query, place.start, budget);
    const { nextCursor: nextRows } = list.more;
    const nextClauses = clauses.next === null ? null : `c${clauses.next}`;
    const nextCursor = nextRows || nextClauses ? `${nextRows ?? ""}${nextClauses ?? ""}` : null;
    const found = [
      clauses.lines.length > 0 && [quotedNotice, ...clauses.lines].join("\n"),
      isWithin && clauses.lines.length === 0 && "No clause there matches.",
      nextClauses && `More clauses match: call again with cursor "${nextClauses}" for them.`,
      clauses.note,
    ].filter(Boolean);
    return {
      data: {
        total: list.total,
        clauses: clauses.items,
        contracts: list.items,
        truncated: nextCursor !== null,
        nextCursor,
      },
      text: [found.join("\n"), list.text].filter(Boolean).join("\n\n"),
    };
  },
});

type Place = ReturnType<typeof parseCursor>;
type Words = Record<string, unknown> & { q?: string | undefined };

/** Finds clauses for the first result, and for cursors that say there are more. */
async function clausesFor(caller: Caller, { q: words, ...query }: Words, { start, skipped }: Place) {
  const nothing: FoundClauses = { items: [], lines: [], next: null, note: "" };
  if (!words) return nothing;
  // The remaining contracts come first. The position among the clauses stays in the cursor.
  if (start !== null && start > 0) return { ...nothing, next: skipped };
  const isWithin = query.contractId !== undefined || query.versionId !== undefined;
  if (!isWithin && !caller.may(search.clauses)) {
    const note = "What documents say was not searched: that needs the scopes search:read and contracts:read.";
    return { ...nothing, note };
  }
  return findClauses(caller, { ...query, q: words }, skipped ?? 0);
}

const none = { total: 0, items: [], text: "", more: { truncated: false, nextCursor: null } };

async function contractsFrom(caller: Caller, query: object, start: number | null, budget: Budget) {
  const { page, skip } = pageWith(start ?? 0, contractPageSize);
  const { data, total } = await caller.ask(contracts.list, { ...query, page });
  if (start === null) return { ...none, total };
  const rows = data.slice(skip).map(contractFrom);
  const asLines = { lineOf: contractLine, rowOf: ContractLine.parse };
  const { items, text, more, note } = paginate({ items: rows, start, total, ...asLines, budget });
  const matching = counted(total, "contract matches", "contracts match");
  return { total, items, more, text: `${matching} by title, counterparty and filters.\n${text}${note}` };
}
