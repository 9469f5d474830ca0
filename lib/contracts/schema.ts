import { z } from "zod";
import {
  centsIn,
  centsOut,
  choice,
  currency,
  direction,
  idIn,
  idOut,
  months,
  name,
  page,
  pageOf,
  pathId,
  searchText,
  text,
  timestamp,
  timestampIn,
} from "#lib/wire.ts";
import { contractSorts, contractStatuses, contractTypes, ourRoles } from "./lifecycle.ts";

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
    templateId: idOut("template").nullable(),
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
    versionNumber: z.int().meta({ description: "Counted from 1 in each contract", example: 1 }),
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

/** A contract as the API gives it; the domain works with the same shape. */
export type Contract = z.output<typeof Contract>;

export const ContractAnswer = z.object({ contract: Contract });

export const NewContractAnswer = z.object({
  contract: Contract,
  version: DocumentVersion.nullable().meta({ description: "Null when no document came with it" }),
});

const anchors = {
  effectiveDate: timestampIn.nullable().optional(),
  executedAt: timestampIn.nullable().optional(),
  termMonths: months(1200).nullable().optional(),
  autoRenews: z.boolean().optional(),
  renewalMonths: months(1200).nullable().optional(),
};

const value = {
  valueCents: centsIn.nullable().optional(),
  valueCurrency: currency.nullable().optional(),
};

export const NewContract = z.strictObject({
  title: name,
  type: choice(contractTypes),
  ourRole: choice(ourRoles),
  ownerId: idIn("user").meta({ description: "The userId of an active member" }),
  counterpartyId: idIn("counterparty").nullable().optional(),
  ...anchors,
  ...value,
});
export type NewContract = z.output<typeof NewContract>;

export const ContractPatch = z.strictObject({
  id: pathId("contract"),
  title: name.optional(),
  type: choice(contractTypes).optional(),
  ourRole: choice(ourRoles).optional(),
  ownerId: idIn("user").optional(),
  counterpartyId: idIn("counterparty").nullable().optional(),
  ...anchors,
  ...value,
});
export type ContractPatch = z.output<typeof ContractPatch>;

export const ContractAnchors = z.strictObject({ id: pathId("contract"), ...anchors });
export type ContractAnchors = z.output<typeof ContractAnchors>;

const changed = <T extends z.ZodType>(value: T) => z.object({ from: value, to: value });

export const AnchorsPreview = z.object({
  expiresAt: changed(timestamp.nullable()),
  status: changed(z.enum(contractStatuses)).meta({ description: "What the calendar will make of it" }),
  renewals: z.int().meta({ description: "How often the calendar will renew it to reach today" }),
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
  reason: text(500).nullable().optional().meta({ description: "Kept in the audit log" }),
});

export const ManyMoves = z.strictObject({
  ids: z
    .array(idIn("contract"), { error: "must be a list of ids" })
    .min(1, "must name at least one contract")
    .max(200, "must name at most 200 contracts"),
  next: choice(contractStatuses),
  reason: text(500).nullable().optional(),
});

export const ManyMoved = z.object({
  results: z.array(
    z.object({
      id: idOut("contract"),
      ok: z.boolean(),
      status: z
        .enum(contractStatuses)
        .nullable()
        .meta({ description: "What it is now; null where it was refused" }),
      code: z.string().nullable(),
      message: z.string().nullable(),
    }),
  ),
});
export type ManyMoved = z.output<typeof ManyMoved>;

export const contractPageSize = 50;

export const ContractQuery = z.object({
  q: searchText.meta({ description: "Searches titles and counterparty names, ignoring case" }),
  status: z.array(choice(contractStatuses)).optional(),
  type: z.array(choice(contractTypes)).optional(),
  ourRole: z.array(choice(ourRoles)).optional(),
  ownerId: idIn("user").optional(),
  counterpartyId: idIn("counterparty").optional(),
  valueCurrency: z
    .array(currency)
    .optional()
    .meta({ description: "Only those with a value in it; repeat it for several" }),
  effectiveFrom: timestampIn.optional(),
  effectiveTo: timestampIn.optional(),
  expiresFrom: timestampIn.optional(),
  expiresTo: timestampIn.optional(),
  sort: choice(contractSorts).default("lastActivityAt"),
  dir: direction,
  page,
});
export type ContractQuery = z.output<typeof ContractQuery>;

export const ContractPage = pageOf(Contract);
