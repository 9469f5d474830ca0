/** The tools for counterparties. */
import { z } from "zod";
import { idIn } from "#lib/core/wire.ts";
import { counterparties } from "#lib/counterparties/operations.ts";
import { type Counterparty, CounterpartyQuery } from "#lib/counterparties/schema.ts";
import { counterpartyDetails } from "#lib/overview/counterparties/operations.ts";
import { Budget, clipToTokens, takeFitting } from "../answers/budget.ts";
import { linkTo } from "../answers/links.ts";
import { quote, quotedNotice } from "../answers/quote.ts";
import { counted, joined, titled, words } from "../answers/words.ts";
import { ContractLine, contractFrom, contractLine } from "./contract-answers.ts";
import { cursor, paginate, pagingFields, startOf } from "./paging.ts";
import { tool } from "./tool.ts";

const CounterpartyLine = z.object({
  id: z.string(),
  name: z.string(),
  domain: z.string().nullable(),
  relationshipTypes: z.array(z.string()),
  contractCount: z.int(),
  link: z.string(),
});

const counterpartyFrom = ({ domain, ...counterparty }: Counterparty) => ({
  ...counterparty,
  domain: domain && clipToTokens(domain, 100),
  link: linkTo.counterparty(counterparty.id),
});

function counterpartyLine(counterparty: z.output<typeof CounterpartyLine>): string {
  const { id, name, domain, relationshipTypes, contractCount, link } = counterparty;
  const what = joined(...relationshipTypes.map(words), domain, counted(contractCount, "contract"));
  return `- ${titled(name)}: ${what}. ${id} ${link}`;
}

export const findCounterparties = tool({
  name: "find_counterparties",
  title: "Find counterparties",
  description: "Finds the other parties of contracts by name; without words it lists all of them.",
  uses: [counterparties.list],
  input: z.strictObject({ q: CounterpartyQuery.shape.q, cursor }),
  output: z.object({ total: z.int(), counterparties: z.array(CounterpartyLine), ...pagingFields }),
  async run(caller, { cursor: at, ...query }) {
    const start = startOf(at);
    const { data } = await caller.ask(counterparties.list, query);
    // Far more than can fit.
    const items = data.slice(start, start + 500).map(counterpartyFrom);
    const list = paginate({
      items,
      start,
      total: data.length,
      lineOf: counterpartyLine,
      rowOf: CounterpartyLine.parse,
    });
    return {
      data: { total: data.length, counterparties: list.items, ...list.more },
      text: `${counted(data.length, "counterparty", "counterparties")}.\n${list.text}${list.note}`,
    };
  },
});

const Contact = z.object({ id: z.string(), name: z.string(), email: z.string(), isPrimary: z.boolean() });

/** The most tokens for notes and contacts. The web app shows all of them. */
const noteTokens = 1_200;
const contactTokens = 1_500;

export const getCounterparty = tool({
  name: "get_counterparty",
  title: "Get a counterparty",
  description: "Gets a counterparty with its notes, contacts and contracts, the most recently active first.",
  uses: [counterpartyDetails.read],
  input: z.strictObject({ counterpartyId: idIn("counterparty"), cursor }),
  output: z.object({
    counterparty: CounterpartyLine,
    quotedNotes: z.string().nullable(),
    contacts: z.array(Contact),
    contactCount: z.int(),
    contracts: z.array(ContractLine),
    ...pagingFields,
  }),
  async run(caller, { counterpartyId: id, cursor: at }) {
    const start = startOf(at);
    const { counterparty: read } = await caller.ask(counterpartyDetails.read, { id });
    const counterparty = counterpartyFrom(read);
    const line = counterpartyLine(counterparty);
    const quotedNotes = read.notes && notesOf(read.notes);
    const notes = quotedNotes ? quote(`the notes on ${titled(read.name)}`, quotedNotes) : "";
    const contacts = takeFitting(new Budget(contactTokens), read.contacts, contactLine, Contact.parse);
    const budget = new Budget();
    const shown = CounterpartyLine.parse(counterparty);
    budget.take(shown, line, quotedNotes, notes, contacts.items, contacts.lines);
    const rows = read.contracts.slice(start, start + 100).map(contractFrom);
    const asLines = { lineOf: contractLine, rowOf: ContractLine.parse };
    const list = paginate({ items: rows, start, total: read.contracts.length, ...asLines, budget });
    const others = read.contacts.length - contacts.count;
    return {
      data: {
        counterparty,
        quotedNotes,
        contacts: contacts.items,
        contactCount: read.contacts.length,
        contracts: list.items,
        ...list.more,
        truncated: list.more.truncated || others > 0 || quotedNotes !== read.notes,
      },
      text: [
        line,
        notes && `${quotedNotice}\n${notes}`,
        contacts.count > 0 && "Contacts:",
        ...contacts.lines,
        others > 0 && `and ${counted(others, "more contact")}, which the web app shows.`,
        `${counted(read.contracts.length, "contract")}:`,
        `${list.text}${list.note}`,
      ]
        .filter(Boolean)
        .join("\n"),
    };
  },
});

function contactLine({ id, name, email, isPrimary }: z.output<typeof Contact>): string {
  return `- ${titled(name)}, ${email}${isPrimary ? ", the main contact" : ""}. ${id}`;
}

function notesOf(notes: string): string {
  const part = clipToTokens(notes, noteTokens);
  return part === notes ? notes : `${part}… [${notes.length - part.length} more characters]`;
}
