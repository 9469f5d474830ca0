import { z } from "zod";
import { contractTypes } from "#lib/contracts/lifecycle.ts";
import { DocumentIn } from "#lib/contracts/schema.ts";
import { choice, dayIn, idOut, months, pathId, requiredText } from "#lib/core/wire.ts";
import { Obligation } from "#lib/obligations/schema.ts";

export const anchors = ["EFFECTIVE_DATE", "TERM", "RENEWAL"] as const;
export type Anchor = (typeof anchors)[number];

/** Where the document states it, quoted letter for letter, and how the value follows from it. */
const found = {
  versionId: idOut("version"),
  versionNumber: z.int(),
  page: z.int(),
  quote: z.string(),
  reasoning: z.string(),
};

export const ProposedDate = z.object({
  anchor: z.enum(anchors),
  /** Distinguishes it from other proposals of the same kind. */
  value: z.string(),
  date: z.string().nullable().meta({ description: "Of EFFECTIVE_DATE: YYYY-MM-DD" }),
  months: z.int().nullable().meta({ description: "Of TERM and RENEWAL" }),
  ...found,
});
export type ProposedDate = z.output<typeof ProposedDate>;

export const ProposedObligation = z.object({
  obligation: Obligation,
  versionId: found.versionId.nullable(),
  versionNumber: found.versionNumber.nullable(),
  page: found.page.nullable(),
  quote: found.quote.nullable(),
  reasoning: found.reasoning.nullable(),
});
export type ProposedObligation = z.output<typeof ProposedObligation>;

export const Proposals = z.object({
  isReading: z.boolean().meta({ description: "The newest version has not been read yet" }),
  dates: z.array(ProposedDate),
  obligations: z.array(ProposedObligation),
});

/** The versions in which a contract's obligations were found. */
export const Places = z.object({
  data: z.array(
    z.object({
      obligationId: idOut("obligation"),
      versionId: idOut("version"),
      versionNumber: z.int(),
    }),
  ),
});

export const ProposalsQuery = z.object({ id: pathId("contract") });

const which = {
  id: pathId("contract"),
  anchor: choice(anchors),
  value: requiredText(40),
};

export const DateAcceptance = z.strictObject({
  ...which,
  date: dayIn.optional().meta({ description: "Another day than the one proposed" }),
  months: months(1200).optional().meta({ description: "Another number of months than the one proposed" }),
});
export type DateAcceptance = z.output<typeof DateAcceptance>;

export const DateRejection = z.strictObject(which);
export type DateRejection = z.output<typeof DateRejection>;

/** A document that does not belong to a contract yet, to read proposals from. */
export const DocumentQuestion = z.strictObject({ document: DocumentIn });

const quoted = { quote: z.string(), page: z.int() };

export const DocumentProposals = z.object({
  title: z.object({ value: z.string(), ...quoted }).nullable(),
  type: z.object({ value: z.enum(contractTypes), ...quoted }).nullable(),
  parties: z.array(z.object({ value: z.string(), ...quoted })),
  effectiveDate: z.object({ value: z.string(), ...quoted }).nullable(),
  termMonths: z.object({ value: z.int(), ...quoted }).nullable(),
  renewal: z.object({ months: z.int(), ...quoted }).nullable(),
});
export type DocumentProposals = z.output<typeof DocumentProposals>;
