/** The tools for the whole workspace: its figures and its audit log. */
import { z } from "zod";
import { auditEvents } from "#lib/audit/operations.ts";
import { type AuditEvent, AuditQuery } from "#lib/audit/schema.ts";
import { invalid } from "#lib/core/errors.ts";
import { analytics } from "#lib/overview/analytics/operations.ts";
import { Summary } from "#lib/overview/analytics/schema.ts";
import { Budget, clipToTokens, takeFitting } from "../answers/budget.ts";
import { linkTo } from "../answers/links.ts";
import { money, titled, words } from "../answers/words.ts";
import { cursor, pagingFields } from "./paging.ts";
import { tool } from "./tool.ts";

/** There are about 180 currencies in the world. */
const shownCurrencies = 40;

export const getAnalytics = tool({
  name: "get_analytics",
  title: "Get analytics",
  description:
    "Gets the workspace's figures: contracts by status and type, open value by currency, what expires in 30, 60 and 90 days, obligations due and overdue, signing.",
  uses: [analytics.summary],
  input: z.strictObject({}),
  output: z.object({
    analytics: z.object(Summary.shape),
    currencyCount: z.int(),
    link: z.string(),
    truncated: z.boolean(),
  }),
  async run(caller) {
    const { analytics: summary } = await caller.ask(analytics.summary, {});
    const { contractsByStatus, expiring, obligations, signing } = summary;
    const openValue = summary.openValue.slice(0, shownCurrencies);
    const counted = (counts: Record<string, number>) =>
      Object.entries(counts)
        .filter(([, count]) => count > 0)
        .map(([name, count]) => `${count} ${words(name)}`)
        .join(", ") || "none";
    const values = openValue.map(({ valueCents, currency }) => money(valueCents, currency)).join(", ");
    const hours = signing.medianHoursToComplete;
    return {
      data: {
        analytics: { ...summary, openValue },
        currencyCount: summary.openValue.length,
        link: linkTo.home(),
        truncated: summary.openValue.length > openValue.length,
      },
      text: [
        `Contracts: ${counted(contractsByStatus)}.`,
        `Ending within 30 days: ${expiring.d30}; 60 days: ${expiring.d60}; 90 days: ${expiring.d90}.`,
        `Obligations due within 30 days: ${obligations.due}; overdue: ${obligations.overdue}.`,
        `Open signature requests: ${signing.open}${hours === null ? "" : `; half of them complete within ${hours} hours`}.`,
        `Open value: ${values || "none"}. ${linkTo.home()}`,
      ].join("\n"),
    };
  },
});

const EventLine = z.object({
  id: z.string(),
  action: z.string(),
  createdAt: z.string(),
  by: z.string(),
  assistant: z.string().nullable(),
  contract: z.object({ id: z.string(), title: z.string() }).nullable(),
  changes: z.string().nullable(),
});

/** The most tokens for the changes of one event. */
const changeTokens = 300;

const system = "the system";

function eventFrom(event: z.output<typeof AuditEvent>) {
  const { actor, apiKey, payload } = event;
  const by = actor?.name ?? (apiKey ? `the API key ${apiKey.name}` : (payload.actor?.name ?? system));
  const changes = payload.changes && JSON.stringify(payload.changes);
  const part = changes && clipToTokens(changes, changeTokens);
  const assistant = event.assistant?.name ?? null;
  return { ...event, by, assistant, changes: part && part !== changes ? `${part}… [cut]` : part };
}

function eventLine(event: z.output<typeof EventLine>): string {
  const { id, action, createdAt, by, assistant, contract, changes } = event;
  const where = contract
    ? ` on ${titled(contract.title)} (${contract.id}, ${linkTo.contract(contract.id)})`
    : "";
  const who = `${by === system ? by : titled(by)}${assistant === null ? "" : `, via ${titled(assistant)}`}`;
  return `- ${createdAt}: ${words(action)}${where}, by ${who}. ${changes ?? ""} ${id}`;
}

const { limit: _, cursor: __, ...filters } = AuditQuery.shape;

/** About as many events as fit. */
const pageSize = 30;

export const listAuditEvents = tool({
  name: "list_audit_events",
  title: "List audit events",
  description:
    "Lists what happened, by whom and when, newest first; of one contract, member, key or action, between two days.",
  uses: [auditEvents.list],
  input: z.strictObject({
    ...filters,
    action: z
      .array(z.string().max(100))
      .max(100)
      .optional()
      .meta({ description: "Such as CONTRACT_UPDATED" }),
    cursor,
  }),
  output: z.object({ events: z.array(EventLine), link: z.string(), ...pagingFields }),
  async run(caller, { cursor: at, ...query }) {
    const { skip, cursor: page } = parseCursor(at);
    const { data, nextCursor } = await caller.ask(auditEvents.list, {
      ...(query as z.input<typeof AuditQuery>),
      limit: pageSize,
      cursor: page,
    });
    const link = linkTo.auditLog();
    const events = data.slice(skip).map(eventFrom);
    const { items, lines, count } = takeFitting(new Budget(), events, eventLine, EventLine.parse);
    const isCut = skip + count < data.length;
    const next = isCut ? `${skip + count}~${page ?? ""}` : nextCursor && `0~${nextCursor}`;
    return {
      data: { events: items, link, truncated: next !== null, nextCursor: next },
      text: [
        `The audit log, newest first: ${link}`,
        ...lines,
        next ? `There is more: call again with cursor "${next}".` : "",
      ].join("\n"),
    };
  },
});

/** Parses a cursor into the log: the number of events of the page that were listed, and the page's own cursor. */
function parseCursor(at: string | undefined): { skip: number; cursor: string | undefined } {
  if (at === undefined) return { skip: 0, cursor: undefined };
  const [, skip, cursor] = /^(\d{1,3})~(.{0,500})$/s.exec(at) ?? [];
  if (skip === undefined) throw invalid({ path: "cursor", message: "is not a nextCursor of this tool" });
  return { skip: Number(skip), cursor: cursor || undefined };
}
