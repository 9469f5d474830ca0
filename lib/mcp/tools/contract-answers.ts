/** Contracts as answers tell of them. */
import { z } from "zod";
import type { Contract } from "#lib/contracts/schema.ts";
import { clip } from "../answers/budget.ts";
import { linkTo } from "../answers/links.ts";
import { day, joined, money, titled, words } from "../answers/words.ts";

/** In a list. */
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

/** On its own. */
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

/** A long text is shown by its beginning: a workspace can have many fields. */
const longestShown = 100;

/** Those that have a value. */
const filled = (customFields: Contract["customFields"]) =>
  Object.fromEntries(
    Object.entries(customFields).flatMap(([key, value]) =>
      value === null ? [] : [[key, clip(value, longestShown)]],
    ),
  );

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

/** What a line says of a contract: its title, what matters of it, its id and where it is. */
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
