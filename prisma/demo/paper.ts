/** The documents that were not made from a template: short, and true to what the workspace says of the contract. */
import type { Context } from "#lib/context.ts";
import type { NewContract } from "#lib/contracts/schema.ts";
import { docxType } from "#lib/contracts/schema.ts";
import { addVersion } from "#lib/contracts/versions.ts";
import { dayOf } from "#lib/dates.ts";
import { store } from "#lib/storage.ts";
import { amountOf, parseValue, printValue } from "#lib/templates/values.ts";
import { company } from "./members.ts";
import type { Story } from "./story.ts";
import { buildDocument } from "./templates/document.ts";

type Facts = NewContract & { counterparty: string };

/** Gives a contract its paper as version 1. */
export async function uploadPaper(
  ctx: Context,
  contractId: string,
  story: Story,
  facts: Facts,
): Promise<void> {
  const { title } = story;
  const stored = await store(ctx.organizationId, await buildDocument({ title, text: textOf(story, facts) }));
  const fileName = `${title.replace(/[:/]/g, " –")}.docx`;
  await addVersion(ctx, { ...stored, contractId, source: "UPLOADED", fileName, contentType: docxType });
}

function print(type: "date" | "currency", text: string): string {
  const value = parseValue(text, { type, options: [], currency: "USD" });
  return value && typeof value !== "string" ? printValue(value) : text;
}

function textOf({ title, ourRole, duties = [] }: Story, facts: Facts): string {
  const role =
    ourRole === "COUNTERPARTY" ? "First party" : ourRole.charAt(0) + ourRole.slice(1).toLowerCase();
  const quoted = duties.map((duty) => duty.sourceText ?? `${duty.title}. ${duty.description ?? ""}`.trim());
  return [
    "This agreement is made between:",
    `| ${role} | **${company}** |`,
    `| ${ourRole === "COUNTERPARTY" ? "Second party" : "Other party"} | **${facts.counterparty}** |`,
    "# Subject",
    `- The parties agree on the following: ${title}.`,
    "# Term",
    ...termLines(facts),
    ...valueLines(facts),
    ...(quoted.length > 0 ? ["# Duties", ...quoted.map((text) => `- ${text.replace(/^[\d.]+ /, "")}`)] : []),
    "# Confidentiality",
    "- Each party keeps the other's confidential information secret, uses it for this agreement only, and discloses it only to those who need it and are bound to secrecy.",
    "# General",
    "- This is the whole agreement of the parties on its subject. It can be changed only in writing signed by both parties, and may be signed in counterparts and by electronic signature.",
    `SIGN ${company} | ${facts.counterparty}`,
  ].join("\n");
}

function termLines({ effectiveDate, termMonths, autoRenews, renewalMonths }: Facts): string[] {
  const begins = effectiveDate ? `on ${print("date", dayOf(effectiveDate))}` : "when the last party signs it";
  const lasts = termMonths
    ? `and lasts for ${termMonths} months`
    : "and lasts until it is performed or terminated";
  const renews = autoRenews
    ? [
        `- It then renews for successive periods of ${renewalMonths ?? termMonths} months, unless a party gives notice.`,
      ]
    : [];
  return [`- This agreement begins ${begins} ${lasts}.`, ...renews];
}

function valueLines({ valueCents, valueCurrency }: Facts): string[] {
  if (!valueCents || !valueCurrency) return [];
  const amount = print("currency", amountOf(valueCents.toString(), valueCurrency));
  return [
    "# Charges",
    `- The value of this agreement is ${amount}, without value added tax or other sales taxes.`,
  ];
}
