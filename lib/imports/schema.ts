import { z } from "zod";
import { contractTypes, ourRoles } from "#lib/contracts/lifecycle.ts";
import { choice, idOut, requiredText, timestamp } from "#lib/core/wire.ts";
import { keyIn } from "#lib/custom-fields/catalogue.ts";
import { dateOrders, type ImportTarget, importFields } from "./catalogue.ts";

export const importStates = ["MAPPING", "CHECKING", "CHECKED", "IMPORTING", "DONE", "FAILED"] as const;

export const csvLimitBytes = 10 * 1024 * 1024;
export const maxColumns = 100;

/** How many errors are shown; people with more fix these first. */
export const maxErrors = 200;

export const CsvIn = z.strictObject({
  fileName: requiredText(255),
  contentType: requiredText(200),
  contentBase64: z.string(),
});

export const NewImport = z.strictObject({ csv: CsvIn });
export type NewImport = z.output<typeof NewImport>;

const isTarget = (name: unknown): name is ImportTarget =>
  typeof name === "string" && (importFields.some((field) => field === name) || Boolean(keyIn(name)));

/** The field of each column, in order, and the defaults for rows without a value. */
const MappedColumns = z.strictObject({
  fields: z.array(z.custom<ImportTarget>(isTarget, "is not a contract field").nullable()).max(maxColumns),
  type: choice(contractTypes),
  ourRole: choice(ourRoles),
  dateOrder: choice(dateOrders),
});
export type Mapping = z.output<typeof MappedColumns>;

/** A mapping that can be checked. A guessed one may lack a title. */
export const Mapping = MappedColumns.refine(({ fields }) => fields.includes("title"), {
  path: ["fields"],
  message: "must have a column with the title of each contract",
}).refine(({ fields }) => isOnce(fields.filter((field) => field !== null)), {
  path: ["fields"],
  message: "must have each field once",
});

const isOnce = (values: string[]) => new Set(values).size === values.length;

export const ImportError = z.object({
  line: z.int().meta({ description: "Of the file, counted from 1" }),
  path: z.string(),
  message: z.string(),
  cell: z.string().nullable().meta({ description: "What the file has there" }),
});
export type ImportError = z.output<typeof ImportError>;

export const ImportReport = z.object({
  rows: z.int(),
  contracts: z.int().meta({ description: "How many are created; 0 where there are errors" }),
  counterparties: z.int(),
  errorCount: z.int(),
  errors: z.array(ImportError),
});
export type ImportReport = z.output<typeof ImportReport>;

export const ColumnHead = z.object({ name: z.string(), samples: z.array(z.string()) });
export type ColumnHead = z.output<typeof ColumnHead>;

export const ContractImport = z.object({
  id: idOut("contractImport"),
  fileName: z.string(),
  state: z.enum(importStates),
  columns: z.array(ColumnHead),
  mapping: MappedColumns,
  rowsDone: z.int(),
  report: ImportReport.nullable(),
  createdAt: timestamp,
});
export type ContractImport = z.output<typeof ContractImport>;

export const ImportAnswer = z.object({ import: ContractImport.nullable() });
