import { z } from "zod";
import { contractStatuses } from "#lib/contracts/lifecycle.ts";
import { ContractQuery } from "#lib/contracts/schema.ts";
import { idIn, idOut, lines, page, text, wholeNumber } from "#lib/core/wire.ts";
import { envelopeStatuses } from "#lib/signatures/lifecycle.ts";

export const Jump = z.strictObject({ q: text(200) });

export const JumpTargets = z.object({
  contracts: z.array(
    z.object({
      id: idOut("contract"),
      title: z.string(),
      status: z.enum(contractStatuses),
      counterpartyName: z.string().nullable(),
    }),
  ),
  counterparties: z.array(z.object({ id: idOut("counterparty"), name: z.string() })),
  contacts: z.array(
    z.object({
      id: idOut("contact"),
      name: z.string(),
      email: z.string(),
      counterpartyId: idOut("counterparty"),
      counterpartyName: z.string(),
    }),
  ),
  templates: z.array(z.object({ id: idOut("template"), name: z.string() })),
  signatureRequests: z.array(
    z.object({ id: idOut("envelope"), contractTitle: z.string(), status: z.enum(envelopeStatuses) }),
  ),
});

const maxHits = 50;

export const ClauseSearch = z.strictObject({
  ...ContractQuery.omit({ q: true, sort: true, dir: true, page: true }).shape,
  q: lines(500).meta({
    description: "Words or a question; what stands in quotation marks must be there as it stands",
  }),
  contractId: idIn("contract").optional(),
  versionId: idIn("version")
    .optional()
    .meta({ description: "Searches this version; without it, the newest of each contract" }),
  limit: wholeNumber("must be a whole number from 1", maxHits).default(10),
  page,
});
export type ClauseSearch = z.output<typeof ClauseSearch>;

export const ClauseHit = z.object({
  contract: z.object({
    id: idOut("contract"),
    title: z.string(),
    status: z.enum(contractStatuses),
    counterpartyName: z.string().nullable(),
  }),
  version: z.object({ id: idOut("version"), versionNumber: z.int(), fileName: z.string() }),
  pageIndex: z
    .int()
    .meta({ description: "Counted from 0: the page of the first marked word, else of the quote" }),
  heading: z.string(),
  label: z.string().meta({ description: "The clause's number or letter as printed; empty without one" }),
  quote: z
    .string()
    .meta({ description: "As the document says it, but for line breaks; 600 characters at most" }),
  marks: z
    .array(z.tuple([z.int(), z.int()]))
    .meta({ description: "Where the matched words begin and end in the quote" }),
  score: z.number().meta({ description: "From 0 to 1, to be compared within one answer" }),
});
export type ClauseHit = z.output<typeof ClauseHit>;

export const ClauseHits = z.object({
  hits: z.array(ClauseHit),
  page: z.int(),
  hasMore: z.boolean(),
  indexing: z.object({ indexed: z.int(), total: z.int() }).meta({
    description:
      "How many of the versions that have a text, or whose text is being read, can be searched already",
  }),
});
