/**
 * The columns of a contract. Reading, creating, changing, importing and exporting contracts all follow this
 * table: a field of the schema that has no column here does not compile, nor does a column without a field.
 */
import type { FieldValues } from "#lib/custom-fields/catalogue.ts";
import type { Contract, ContractFields } from "./schema.ts";

/** A contract as its row is, in wire form: without the names of others, with what the API does not tell. */
export type StoredContract = Omit<Contract, "counterparty" | "owner" | "customFields"> & {
  /** What the API has as customFields, by the fields' ids. */
  fieldValues: FieldValues;
  templateRevision: number | null;
  /** How often it was changed: an update names the revision that it read. */
  revision: number;
};

/**
 * Who sets a column. `request`: whoever may create and change contracts. `lifecycle`: a move to another
 * status, or into the archive. `clock`: every write. `creation`: it stays as it was created. `database`: the database alone.
 */
type SetBy = "request" | "lifecycle" | "clock" | "creation" | "database";

/** What a request sets. */
type RequestedName = Exclude<keyof ContractFields, "customFields"> | "fieldValues";

type Cast<Value> = [Value] extends [boolean | null]
  ? "boolean"
  : [Value] extends [number | null]
    ? "int"
    : [Value] extends [string[]]
      ? "text[]"
      : [Value] extends [FieldValues]
        ? "jsonb"
        : "text" | "bigint" | "timestamptz" | "date";

interface ColumnOf<Name, Value> {
  /** Its name in the table. */
  sql: string;
  cast: Cast<Value>;
  setBy: Name extends RequestedName ? "request" : Exclude<SetBy, "request">;
  /** Whether an operator's CSV may have it. */
  imported: Name extends Exclude<RequestedName, "fieldValues"> | "status" ? boolean : false;
  /** How an export has it: as it is, its day alone, the names that the id stands for, or several in a cell. */
  exported: "value" | "day" | "names" | "list" | false;
  /** What a contract has where the request does not say; else null. */
  initially?: Readonly<Value>;
}

type ColumnsOf<Row> = {
  [Name in keyof Row | RequestedName]: Name extends keyof Row ? ColumnOf<Name, Row[Name]> : never;
};

/** In the order of a CSV. */
const table = {
  id: { sql: "id", cast: "text", setBy: "creation", imported: false, exported: "value" },
  title: { sql: "title", cast: "text", setBy: "request", imported: true, exported: "value" },
  type: { sql: "type", cast: "text", setBy: "request", imported: true, exported: "value" },
  ourRole: { sql: "our_role", cast: "text", setBy: "request", imported: true, exported: "value" },
  status: { sql: "status", cast: "text", setBy: "lifecycle", imported: true, exported: "value" },
  counterpartyId: {
    ...{ sql: "counterparty_id", cast: "text", setBy: "request", imported: true, exported: "names" },
  },
  ownerId: { sql: "owner_id", cast: "text", setBy: "request", imported: true, exported: "names" },
  effectiveDate: {
    ...{ sql: "effective_date", cast: "timestamptz", setBy: "request", imported: true, exported: "day" },
  },
  expiresAt: { sql: "expires_at", cast: "date", setBy: "database", imported: false, exported: "day" },
  executedAt: {
    ...{ sql: "executed_at", cast: "timestamptz", setBy: "request", imported: true, exported: "value" },
  },
  termMonths: { sql: "term_months", cast: "int", setBy: "request", imported: true, exported: "value" },
  autoRenews: {
    ...{ sql: "auto_renews", cast: "boolean", setBy: "request", imported: true, exported: "value" },
    initially: false,
  },
  renewalMonths: { sql: "renewal_months", cast: "int", setBy: "request", imported: true, exported: "value" },
  valueCents: { sql: "value_cents", cast: "bigint", setBy: "request", imported: true, exported: "value" },
  valueCurrency: { sql: "value_currency", cast: "text", setBy: "request", imported: true, exported: "value" },
  tags: {
    ...{ sql: "tags", cast: "text[]", setBy: "request", imported: true, exported: "list" },
    initially: [],
  },
  archivedAt: {
    ...{ sql: "archived_at", cast: "timestamptz", setBy: "lifecycle", imported: false, exported: "value" },
  },
  fieldValues: {
    ...{ sql: "custom_fields", cast: "jsonb", setBy: "request", imported: false, exported: false },
    initially: {},
  },
  templateId: { sql: "template_id", cast: "text", setBy: "creation", imported: false, exported: false },
  templateRevision: {
    ...{ sql: "template_revision", cast: "int", setBy: "creation", imported: false, exported: false },
  },
  statusChangedAt: {
    ...{ sql: "status_changed_at", cast: "timestamptz", setBy: "lifecycle" },
    ...{ imported: false, exported: false },
  },
  lastActivityAt: {
    ...{ sql: "last_activity_at", cast: "timestamptz", setBy: "clock", imported: false, exported: "value" },
  },
  createdAt: {
    ...{ sql: "created_at", cast: "timestamptz", setBy: "creation", imported: false, exported: "value" },
  },
  updatedAt: {
    ...{ sql: "updated_at", cast: "timestamptz", setBy: "clock", imported: false, exported: "value" },
  },
  revision: { sql: "revision", cast: "int", setBy: "database", imported: false, exported: false },
} as const satisfies ColumnsOf<StoredContract>;

export type ColumnName = keyof typeof table;

/** The names of the columns that are so. */
export type ColumnsWhere<Trait> = {
  [Name in ColumnName]: (typeof table)[Name] extends Trait ? Name : never;
}[ColumnName];

export type ColumnsSetBy<By extends SetBy> = ColumnsWhere<{ setBy: By }>;

interface Column {
  sql: string;
  cast: Cast<boolean> | Cast<number> | Cast<string> | Cast<string[]> | Cast<FieldValues>;
  setBy: SetBy;
  imported: boolean;
  exported: "value" | "day" | "names" | "list" | false;
  initially?: unknown;
}

export const columns: Readonly<Record<ColumnName, Column>> = table;

export const columnNames = Object.keys(table) as ColumnName[];

export function columnsSetBy<By extends SetBy>(...setters: By[]): ColumnsSetBy<By>[] {
  const names = columnNames.filter((name) => (setters as SetBy[]).includes(columns[name].setBy));
  return names as ColumnsSetBy<By>[];
}

/** What a SELECT from `contracts c` reads, and what a write of `contracts AS c` returns. */
export const allColumns = columnNames.map((name) => `c.${columns[name].sql} AS "${name}"`).join(", ");
