/**
 * The columns of a contract. Reading, creating, changing, importing and exporting contracts all use this table: a
 * field of the schema without a column here does not compile, nor does a column without a field.
 */
import type { FieldValues } from "#lib/custom-fields/catalogue.ts";
import type { Contract, ContractFields } from "./schema.ts";

/** A contract as stored, in wire form: without joined names, with the columns that the API does not return. */
export type StoredContract = Omit<Contract, "counterparty" | "owner" | "customFields"> & {
  /** The values that the API returns as customFields, keyed by field id. */
  fieldValues: FieldValues;
  templateRevision: number | null;
  /** Incremented by every update; an update names the revision it read. */
  revision: number;
};

/**
 * Who sets a column. `request`: anyone who may create and change contracts. `lifecycle`: a move to another status, or
 * into the archive. `clock`: every write. `creation`: set once, at creation. `database`: only the database.
 */
type SetBy = "request" | "lifecycle" | "clock" | "creation" | "database";

/** The columns set by a request. */
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
  /** The column's name in the table. */
  sql: string;
  cast: Cast<Value>;
  setBy: Name extends RequestedName ? "request" : Exclude<SetBy, "request">;
  /** Whether an operator's CSV may contain it. */
  imported: Name extends Exclude<RequestedName, "fieldValues"> | "status" ? boolean : false;
  /** How exports write it: as it is, only its day, the names that the id refers to, or several values in one cell. */
  exported: "value" | "day" | "names" | "list" | false;
  /** The initial value if the request gives none; null by default. */
  initially?: Readonly<Value>;
}

type ColumnsOf<Row> = {
  [Name in keyof Row | RequestedName]: Name extends keyof Row ? ColumnOf<Name, Row[Name]> : never;
};

/** The columns, in the order of a CSV. */
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

/** The names of the columns that have this trait. */
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

/** The columns that a SELECT from `contracts c` reads, and that a write of `contracts AS c` returns. */
export const allColumns = columnNames.map((name) => `c.${columns[name].sql} AS "${name}"`).join(", ");
