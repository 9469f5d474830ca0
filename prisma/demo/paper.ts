/** Writes the documents that do not come from a template: short, and consistent with the contract's data. */

import type { NewContract } from "#lib/contracts/schema.ts";
import { docxType, pdfType } from "#lib/contracts/schema.ts";
import { addVersion } from "#lib/contracts/versions.ts";
import type { Context } from "#lib/core/context.ts";
import { dayOf } from "#lib/core/dates.ts";
import { PageSizes, PDFDocument } from "#lib/documents/pdf/pdf-lib.ts";
import { Typesetter } from "#lib/documents/typeset/fonts.ts";
import { Sheet } from "#lib/documents/typeset/sheet.ts";
import { store } from "#lib/storage/store.ts";
import { amountOf, parseValue, printValue } from "#lib/templates/values.ts";
import { company } from "./members.ts";
import type { Story } from "./story.ts";
import { buildDocument } from "./templates/document.ts";

type Facts = NewContract & { counterparty: string };

/** Uploads a contract's document as version 1. */
export async function uploadPaper(
  ctx: Context,
  contractId: string,
  story: Story,
  facts: Facts,
): Promise<void> {
  const { title, signing } = story;
  const text = textOf(story, facts);
  const name = title.replace(/[:/]/g, " –");
  if (!signing) {
    const stored = await store(ctx.organizationId, await buildDocument({ title, text }));
    const file = { fileName: `${name}.docx`, contentType: docxType };
    await addVersion(ctx, { ...stored, ...file, contractId, source: "UPLOADED" });
    return;
  }
  const { bytes, pageCount } = await printPaper(title, text);
  const stored = await store(ctx.organizationId, bytes);
  const file = { fileName: `${name}.pdf`, contentType: pdfType, pageCount };
  await addVersion(ctx, { ...stored, ...file, contractId, source: "UPLOADED" });
}

/** The distance from the bottom of the last page to the top of the signature blocks, in points. */
const blocksTop = 250;
const [pageWidth, pageHeight] = PageSizes.A4;
const blockAt = (left: number) => ({
  xPct: (left / pageWidth) * 100,
  yPct: ((pageHeight - blocksTop + 22) / pageHeight) * 100,
  wPct: 33,
});

/** Where each side signs, on the last page. */
export const signatureBlocks = { ours: blockAt(50), theirs: blockAt(310) };

/** A document to sign is a PDF, as if the counterparty had sent it, so that no server has to render it first. */
async function printPaper(title: string, text: string): Promise<{ bytes: Uint8Array; pageCount: number }> {
  const pdf = await PDFDocument.create();
  pdf.setTitle(title);
  const type = new Typesetter(pdf);
  const sheet = new Sheet(pdf, type);
  sheet.paragraph(title, { size: 17, style: "bold" });
  sheet.skip(14);
  for (const line of text.split("\n")) printLine(sheet, line);
  const pageCount = sheet.finish(title, (page, of) => `${page} / ${of}`);
  await type.embed();
  return { bytes: await pdf.save(), pageCount };
}

function printLine(sheet: Sheet, line: string): void {
  const plain = line.replaceAll("**", "");
  if (plain.startsWith("# ")) sheet.heading(plain.slice(2));
  else if (plain.startsWith("| ")) {
    const [name = "", value = ""] = plain
      .split("|")
      .slice(1)
      .map((cell) => cell.trim());
    sheet.facts([[name, value]]);
  } else if (plain.startsWith("SIGN ")) printBlocks(sheet, plain.slice(5).split(" | "));
  else {
    sheet.paragraph(plain.replace(/^- /, ""), { size: 10 });
    sheet.skip(5);
  }
}

function printBlocks(sheet: Sheet, parties: string[]): void {
  if (sheet.y < blocksTop + 10) sheet.startPage();
  parties.forEach((party, index) => {
    const x = index * 260;
    sheet.line(party, x, blocksTop, { size: 10, style: "bold" });
    const lines = ["Signature", "Position", "Date"];
    lines.forEach((name, at) => {
      sheet.line(name, x, blocksTop - [70, 110, 139][at]!, { size: 7, color: "muted" });
    });
  });
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
    ...termLines(facts, duties),
    ...valueLines(facts),
    ...(quoted.length > 0 ? ["# Duties", ...quoted.map((text) => `- ${text.replace(/^[\d.]+ /, "")}`)] : []),
    "# Confidentiality",
    "- Each party keeps the other's confidential information secret, uses it for this agreement only, and discloses it only to those who need it and are bound to secrecy.",
    "# General",
    "- This is the whole agreement of the parties on its subject. It can be changed only in writing signed by both parties, and may be signed in counterparts and by electronic signature.",
    `SIGN ${company} | ${facts.counterparty}`,
  ].join("\n");
}

function termLines(
  { effectiveDate, termMonths, autoRenews, renewalMonths }: Facts,
  duties: NonNullable<Story["duties"]>,
): string[] {
  const begins = effectiveDate ? `on ${print("date", dayOf(effectiveDate))}` : "when the last party signs it";
  const lasts = termMonths
    ? `and lasts for ${termMonths} months`
    : "and lasts until it is performed or terminated";
  const renews = autoRenews
    ? [
        `- It then renews automatically for successive periods of ${renewalMonths ?? termMonths} months, unless a party gives ${noticeOf(duties)}.`,
      ]
    : [];
  return [`- This agreement begins ${begins} ${lasts}.`, ...renews];
}

const inWords: Record<number, string> = { 3: "three", 6: "six", 30: "thirty", 45: "forty-five", 60: "sixty" };

/** How to prevent a renewal: as the contract's obligations say, or by notice of 30 days if there are none for it. */
function noticeOf(duties: NonNullable<Story["duties"]>): string {
  const noted = duties.find(({ kind }) => kind === "RENEWAL_NOTICE" || kind === "TERMINATION_NOTICE");
  if (noted?.sourceText) return "notice as set out under Duties";
  const { before = 30, unit = "DAY" } = noted ?? {};
  return `the other written notice of non-renewal at least ${inWords[before] ?? before} (${before}) ${unit.toLowerCase()}s before the end of the current term`;
}

function valueLines({ valueCents, valueCurrency }: Facts): string[] {
  if (!valueCents || !valueCurrency) return [];
  const amount = print("currency", amountOf(valueCents.toString(), valueCurrency));
  return [
    "# Charges",
    `- The value of this agreement is ${amount}, without value added tax or other sales taxes.`,
  ];
}
