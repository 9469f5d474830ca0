import { z } from "zod";
import {
  booleanIn,
  centsIn,
  centsOut,
  choice,
  currency,
  direction,
  idIn,
  idOut,
  lines,
  months,
  name,
  page,
  pageOf,
  pathId,
  requiredText,
  searchText,
  timestamp,
  timestampIn,
  wholeNumber,
} from "#lib/core/wire.ts";
import {
  CustomFieldSort,
  CustomFieldsFilter,
  CustomFieldsIn,
  CustomFieldsOut,
} from "#lib/custom-fields/schema.ts";
import { contractSorts, contractStatuses, contractTypes, ourRoles } from "./lifecycle.ts";
import { maxTags } from "./tags/catalogue.ts";
import { tag, tags } from "./tags/schema.ts";

export { contractTypes, ourRoles };

export const Contract = z
  .object({
    id: idOut("contract"),
    title: z.string().meta({ example: "Master services agreement with Northwind" }),
    type: z.enum(contractTypes),
    ourRole: z.enum(ourRoles).meta({ description: "COUNTERPARTY means mutual or neutral" }),
    status: z.enum(contractStatuses),
    counterpartyId: idOut("counterparty").nullable(),
    counterparty: z.object({ id: idOut("counterparty"), name: z.string() }).nullable(),
    ownerId: idOut("user"),
    owner: z.object({ id: idOut("user"), name: z.string(), email: z.string() }),
    effectiveDate: timestamp.nullable(),
    executedAt: timestamp.nullable(),
    expiresAt: timestamp
      .nullable()
      .meta({ description: "The last day of the current term; computed from effectiveDate and termMonths" }),
    termMonths: z.int().nullable(),
    autoRenews: z.boolean(),
    renewalMonths: z.int().nullable(),
    valueCents: centsOut.nullable(),
    valueCurrency: z.string().nullable().meta({ description: "ISO 4217", example: "USD" }),
    tags: z.array(z.string()).meta({ example: ["Renewal 2027"] }),
    archivedAt: timestamp.nullable().meta({ description: "Null while it is not archived" }),
    templateId: idOut("template").nullable(),
    customFields: CustomFieldsOut,
    lastActivityAt: timestamp,
    statusChangedAt: timestamp,
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: "Contract" });

export const versionSources = ["UPLOADED", "TEMPLATE", "CONVERTED", "SIGNED", "IMPORTED"] as const;

export const DocumentVersion = z
  .object({
    id: idOut("version"),
    contractId: idOut("contract"),
    versionNumber: z.int().meta({ description: "Starts at 1 in each contract", example: 1 }),
    parentVersionId: idOut("version").nullable(),
    source: z.enum(versionSources),
    fileName: z.string().meta({ example: "master-services-agreement.pdf" }),
    contentType: z.string().meta({ example: "application/pdf" }),
    sizeBytes: z.int(),
    sha256: z.string().meta({ description: "In lower-case hex" }),
    uploadedById: idOut("user").nullable(),
    createdAt: timestamp,
  })
  .meta({ id: "DocumentVersion" });

/** A contract as the API returns it; the domain uses the same shape. */
export type Contract = z.output<typeof Contract>;

export const ContractAnswer = z.object({ contract: Contract });

export const NewContractAnswer = z.object({
  contract: Contract,
  version: DocumentVersion.nullable().meta({ description: "Null when no document came with it" }),
});

export const contractAnchors = {
  effectiveDate: timestampIn.nullable().optional(),
  executedAt: timestampIn.nullable().optional(),
  termMonths: months(1200).nullable().optional(),
  autoRenews: z.boolean().optional(),
  renewalMonths: months(1200).nullable().optional(),
};

export const contractValue = {
  valueCents: centsIn.nullable().optional(),
  valueCurrency: currency.nullable().optional(),
};

export const pdfType = "application/pdf";
export const docxType = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";

/** Characters that change the direction of text, with which `fdp.exe` could read as `exe.pdf`. */
const directionMarks = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

/** A name that every operating system, mail program and archive can write. */
const fileName = requiredText(255)
  .refine((value) => !/[/\\]|^\.\.?$/.test(value), { error: "must be a name, not a path" })
  .refine((value) => !directionMarks.test(value), {
    error: "must not contain marks that change the direction of text",
  })
  .refine((value) => !/\p{Emoji_Presentation}|\uFE0F/u.test(value), { error: "must not contain emoji" })
  .meta({ example: "master-services-agreement.pdf" });

/** A document in a request. Data in contentBase64 is stored before it is inspected. */
export const DocumentIn = z
  .strictObject({
    fileName,
    contentType: requiredText(200).meta({
      description: "Must match the bytes; application/octet-stream makes no claim",
      example: pdfType,
    }),
    contentBase64: z.string().meta({
      contentEncoding: "base64",
      description: "A PDF or DOCX of at most 52,428,800 bytes, in base64",
      example: "JVBERi0xLjcKJcK1wrYKCjEgMCBvYmoK",
    }),
  })
  .meta({ description: "A PDF or DOCX, recognized by its bytes." });

export const NewVersion = z.strictObject({ id: pathId("contract"), document: DocumentIn });
export type NewVersion = z.output<typeof NewVersion>;

export const VersionAnswer = z.object({ version: DocumentVersion });
export const VersionList = z.object({ data: z.array(DocumentVersion) });

/** The fields that can be set by anyone who may change contracts. */
export const contractFields = {
  title: name,
  type: choice(contractTypes),
  ourRole: choice(ourRoles),
  ownerId: idIn("user"),
  counterpartyId: idIn("counterparty").nullable().optional(),
  ...contractAnchors,
  ...contractValue,
  tags: tags.optional(),
  customFields: CustomFieldsIn,
};

export const NewContract = z.strictObject({
  ...contractFields,
  ownerId: contractFields.ownerId.meta({ description: "The userId of an active member" }),
  document: DocumentIn.optional(),
  allowDuplicate: z.boolean().optional().meta({
    description: "Accepts the document even if a live contract of the workspace already has it",
  }),
});
export type NewContract = z.output<typeof NewContract>;
export type ContractFields = Omit<NewContract, "document" | "allowDuplicate">;

export const ContractPatch = z.strictObject({
  id: pathId("contract"),
  ...z.object(contractFields).partial().shape,
  archived: z.boolean("must be true or false").optional().meta({
    description: "True archives the contract, false unarchives it; not while it is out for signature",
  }),
});
export type ContractPatch = z.output<typeof ContractPatch>;

export const ContractAnchors = z.strictObject({ id: pathId("contract"), ...contractAnchors });
export type ContractAnchors = z.output<typeof ContractAnchors>;

const changed = <T extends z.ZodType>(value: T) => z.object({ from: value, to: value });

export const AnchorsPreview = z.object({
  expiresAt: changed(timestamp.nullable()),
  status: changed(z.enum(contractStatuses)).meta({ description: "The status that follows from the dates" }),
  renewals: z.int().meta({ description: "How many times it renews to reach today" }),
  obligations: z.array(
    z.object({
      id: idOut("obligation"),
      title: z.string(),
      kind: z.string(),
      resolvedDate: changed(timestamp.nullable()),
      resolutionBasis: z.string(),
    }),
  ),
});

export const ContractMove = z.strictObject({
  id: pathId("contract"),
  next: choice(contractStatuses),
  reason: lines(500).nullable().optional().meta({ description: "Kept in the audit log" }),
});

const ids = z
  .array(idIn("contract"), { error: "must be a list of ids" })
  .min(1, "must name at least one contract")
  .max(200, "must name at most 200 contracts");

export const ManyMoves = z.strictObject({
  ids,
  next: choice(contractStatuses),
  reason: lines(500).nullable().optional(),
});

export const ManyMoved = z.object({
  results: z.array(
    z.object({
      id: idOut("contract"),
      ok: z.boolean(),
      status: z
        .enum(contractStatuses)
        .nullable()
        .meta({ description: "Its new status; null if it was refused" }),
      code: z.string().nullable(),
      message: z.string().nullable(),
    }),
  ),
});
export type ManyMoved = z.output<typeof ManyMoved>;

export const ManyArchived = z.strictObject({ ids, archived: z.boolean("must be true or false") });
export type ManyArchived = z.output<typeof ManyArchived>;

export const ManyTagged = z.strictObject({ ids, add: tags.default([]), remove: tags.default([]) });
export type ManyTagged = z.output<typeof ManyTagged>;

export const ManyChanged = z.object({
  results: z.array(
    z.object({
      id: idOut("contract"),
      ok: z.boolean(),
      changed: z.boolean().meta({ description: "False where it was so already, or was refused" }),
      code: z.string().nullable(),
      message: z.string().nullable(),
    }),
  ),
});
export type ManyChanged = z.output<typeof ManyChanged>;

export const contractPageSize = 50;

/** Whether a list includes archived contracts: none, only those, or both. */
export const archivedChoices = ["false", "true", "any"] as const;

export const ContractQuery = z.object({
  q: searchText.meta({
    description:
      "Searches titles and counterparty names, ignoring case: three letters or more anywhere, one or two at the beginning of a word",
  }),
  status: z.array(choice(contractStatuses)).optional(),
  type: z.array(choice(contractTypes)).optional(),
  ourRole: z.array(choice(ourRoles)).optional(),
  ownerId: idIn("user").optional(),
  counterpartyId: idIn("counterparty").optional(),
  autoRenews: booleanIn.optional(),
  valueCurrency: z
    .array(currency)
    .optional()
    .meta({ description: "Only those with a value in this currency; repeat for several" }),
  tag: z
    .array(tag)
    .max(maxTags, `must be at most ${maxTags} tags`)
    .optional()
    .meta({ description: "Only those with this tag, ignoring case; repeat for those with all of several" }),
  archived: choice(archivedChoices).optional().meta({
    description: "true lists archived contracts only, any lists them too; without it they are left out",
  }),
  effectiveFrom: timestampIn.optional(),
  effectiveTo: timestampIn.optional(),
  expiresFrom: timestampIn.optional(),
  expiresTo: timestampIn.optional(),
  customFields: CustomFieldsFilter,
  sort: z
    .union([choice(contractSorts), CustomFieldSort], {
      error: `must be one of ${contractSorts.join(", ")}, or customFields. and the key of a custom field`,
    })
    .default("lastActivityAt"),
  dir: direction,
  page,
});
export type ContractQuery = z.output<typeof ContractQuery>;
/** The filters of a list. */
export type ContractFilter = Omit<ContractQuery, "sort" | "dir" | "page">;

export const ContractPage = pageOf(Contract);

const madeStates = ["PENDING", "READY", "FAILED"] as const;

/** The progress of a version's PDF and text. */
export const VersionProgress = z.object({
  id: idOut("version"),
  versionNumber: z.int(),
  pdfState: z.enum(madeStates),
  documentsAhead: z
    .int()
    .nullable()
    .meta({ description: "How many documents come before it, while it waits for its PDF" }),
  pdfError: z.string().nullable().meta({ description: "Why there is no PDF, if it FAILED" }),
  pdfSizeBytes: z.int().nullable(),
  pageCount: z.int().nullable(),
  textState: z.enum(madeStates),
});

export type VersionProgress = z.output<typeof VersionProgress>;

export const VersionProgressList = z.object({ data: z.array(VersionProgress) });

/** The newest versions with their progress, and the number of all versions. */
export const RecentVersions = z.object({
  data: z.array(DocumentVersion.extend(VersionProgress.shape).meta({ id: undefined })),
  total: z.int(),
});

export const VersionProgressAnswer = z.object({ version: VersionProgress });

export const VersionLink = z.object({ url: z.url(), sha256: z.string(), expiresInSeconds: z.int() });

const place = z
  .object({ page: z.int().meta({ description: "Counted from 0" }), label: z.string() })
  .optional()
  .meta({ description: "Where the clause begins, and its number there" });

export const ComparedClause = z.object({
  kind: z.enum(["same", "changed", "added", "removed", "moved"]),
  heading: z.string(),
  from: place,
  to: place,
  words: z.array(z.object({ kind: z.enum(["same", "removed", "added"]), text: z.string() })),
});

export type ComparedClause = z.output<typeof ComparedClause>;

/** Two versions, clause by clause in the order of the later one; a moved clause may also have changed words. */
export const Comparison = z.object({
  clauses: z.array(ComparedClause),
  summary: z.object({
    same: z.int(),
    changed: z.int(),
    added: z.int(),
    removed: z.int(),
    moved: z.int(),
    wordsAdded: z.int(),
    wordsRemoved: z.int(),
  }),
});

export type Comparison = z.output<typeof Comparison>;

/** The most pages in one response. */
export const maxPages = 20;

export const DocumentTextQuery = z.object({
  contractId: pathId("contract"),
  versionId: pathId("version").optional().meta({ description: "By default the newest version" }),
  page: wholeNumber("must be a page number, counted from 1", 1_000_000).default(1),
  offset: z
    .int("must be a whole number")
    .min(0, "must be at least 0")
    .max(1_000_000_000, "must be at most 1000000000")
    .default(0)
    .meta({ description: "How many characters of the first page to leave out" }),
  pages: wholeNumber("must be a number of pages", maxPages).default(maxPages),
});
export type DocumentTextQuery = z.output<typeof DocumentTextQuery>;

export const DocumentText = z.object({
  version: DocumentVersion.pick({ id: true, contractId: true, versionNumber: true, fileName: true }),
  pageCount: z.int(),
  pages: z.array(
    z.object({
      page: z.int().meta({ description: "Counted from 1" }),
      offset: z.int().meta({ description: "How many characters of the page stand before `text`" }),
      text: z.string(),
      characters: z.int().meta({ description: "Of the whole page" }),
    }),
  ),
});
export type DocumentText = z.output<typeof DocumentText>;
