/** Contracts as they appear in results. */
import { z } from "zod";
import type { Contract } from "#lib/contracts/schema.ts";
import { clip, clipToTokens, estimateTokens } from "../answers/budget.ts";
import { linkTo } from "../answers/links.ts";
import { day, joined, money, titled, words } from "../answers/words.ts";

/** A contract in a list. */
export const ContractLine = z.object({
  id: z.string(),
  title: z.string(),
  type: z.string(),
  status: z.string(),
  counterparty: z.object({ id: z.string(), name: z.string() }).nullable(),
  effectiveDate: z.string().nullable(),
  expiresAt: z.string().nullable(),
  autoRenews: z.boolean(),
  value: z.string().nullable(),
  link: z.string(),
});

/** A single contract. */
export const ContractDetail = ContractLine.extend({
  ourRole: z.string(),
  owner: z.object({ id: z.string(), name: z.string() }),
  executedAt: z.string().nullable(),
  termMonths: z.int().nullable(),
  renewalMonths: z.int().nullable(),
  tags: z.array(z.string()),
  archivedAt: z.string().nullable(),
  templateId: z.string().nullable(),
  customFields: z.record(z.string(), z.string()),
  updatedAt: z.string(),
});

/** The most characters of a custom field's value: a workspace can have many fields. */
const longestShown = 100;

/** The most tokens for all fields at that length, and the tokens of a note that a value is cut. */
const fieldTokens = 2_000;
const cutTokens = 12;

/** Returns the fields that have a value. If they do not all fit, each gets an equal share. */
function filled(customFields: Contract["customFields"]): Record<string, string> {
  const values = Object.entries(customFields).flatMap(([key, value]) =>
    value === null ? [] : { key, value },
  );
  const shown = (lengthOf: (key: string, value: string) => number) =>
    Object.fromEntries(values.map(({ key, value }) => [key, clip(value, lengthOf(key, value))]));
  const all = shown(() => longestShown);
  if (estimateTokens(JSON.stringify(all)) <= fieldTokens) return all;
  const share = Math.floor(fieldTokens / values.length) - cutTokens;
  return shown((key, value) => {
    const beginning = clipToTokens(value, Math.max(share - estimateTokens(key), leastTokens));
    return Math.min(longestShown, beginning.length);
  });
}
const leastTokens = 4;

export const contractFrom = (contract: Contract) => ({
  ...contract,
  customFields: filled(contract.customFields),
  effectiveDate: day(contract.effectiveDate),
  executedAt: day(contract.executedAt),
  expiresAt: day(contract.expiresAt),
  value: money(contract.valueCents, contract.valueCurrency),
  link: linkTo.contract(contract.id),
});

export type ContractFrom = ReturnType<typeof contractFrom>;

/** Formats a contract as a line: its title, main facts, id and link. */
export function contractLine(contract: ContractFrom): string {
  const { id, title, type, status, counterparty, effectiveDate, expiresAt, autoRenews, value, link } =
    contract;
  const what = joined(
    type.replaceAll("_", " "),
    words(status),
    counterparty && `with ${titled(counterparty.name)}`,
    effectiveDate && `effective ${effectiveDate}`,
    expiresAt && `${autoRenews ? "renews after" : "ends"} ${expiresAt}`,
    value,
  );
  return `- ${titled(title)}: ${what}. ${id} ${link}`;
}
