/** The tool that finds contracts: by what their documents say, and by their own fields. */
import { z } from "zod";
import { contracts } from "#lib/contracts/operations.ts";
import { ContractQuery, contractPageSize } from "#lib/contracts/schema.ts";
import { search } from "#lib/overview/search/operations.ts";
import { Budget, fit } from "../answers/budget.ts";
import { quotedNotice } from "../answers/quote.ts";
import { ClauseHit, clauseLine, findClauses } from "./clause-hits.ts";
import { ContractLine, contractFrom, contractLine } from "./contract-answers.ts";
import { cursor, listed, pageWith, rest, startOf } from "./paging.ts";
import { tool } from "./tool.ts";

const { page: _, q, ...filters } = ContractQuery.shape;

/** Of an answer, where there are contracts to tell of too. */
const clauseTokens = 4_500;

export const searchContracts = tool({
  name: "search_contracts",
  title: "Search contracts",
  description:
    "Finds contracts by words in their documents (clauses, with quotes and pages), by title or counterparty, and by filters such as status, end date or renewal. Without words it lists contracts.",
  uses: [contracts.list],
  mayUse: [search.clauses],
  input: z.strictObject({ q: q.meta({ description: "Words or a question" }), ...filters, cursor }),
  output: z.object({
    total: z.int().meta({ description: "Contracts that match by title, counterparty and filters" }),
    clauses: z.array(ClauseHit),
    contracts: z.array(ContractLine),
    ...rest,
  }),
  async run(caller, { cursor: at, ...query }) {
    const start = startOf(at);
    const { page, skip } = pageWith(start, contractPageSize);
    const found = await caller.ask(contracts.list, { ...query, page });
    const budget = new Budget();
    const { q: words } = query;
    const hits = words && start === 0 ? await findClauses(caller, { ...query, q: words }) : [];
    const clauses = fit(new Budget(clauseTokens), hits, clauseLine);
    budget.take(clauses.items, clauses.lines);
    const rows = found.data.slice(skip).map(contractFrom);
    const list = listed({ items: rows, start, total: found.total, lineOf: contractLine, budget });
    const quoted = clauses.count > 0 ? `${quotedNotice}\n${clauses.lines.join("\n")}\n\n` : "";
    return {
      data: { total: found.total, clauses: clauses.items, contracts: list.items, ...list.more },
      text: `${quoted}${found.total} contracts match by title, counterparty and filters.\n${list.text}${list.note}`,
    };
  },
});
