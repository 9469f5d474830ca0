/** Writes a contract's row: two statements, built once from the table of columns, that return the row. */
import type { Context } from "#lib/core/context.ts";
import { fieldKeys } from "#lib/custom-fields/values.ts";
import { allColumns, type ColumnName, columns, columnsSetBy, type StoredContract } from "./columns.ts";

const inserted = columnsSetBy("request", "lifecycle", "clock", "creation");
const updated = columnsSetBy("request", "lifecycle", "clock");

type Inserted = Pick<StoredContract, (typeof inserted)[number]>;
type Updated = Pick<StoredContract, (typeof updated)[number]>;

/** $1 is the workspace; the columns follow. */
const parameterIn = (names: ColumnName[]) => (name: ColumnName) =>
  `$${names.indexOf(name) + 2}::${columns[name].cast}`;

/** Yields no row if the owner or the counterparty does not belong to the workspace. */
const parties = (parameter: (name: ColumnName) => string) => `parties AS (
  SELECT u.name AS "ownerName", u.email AS "ownerEmail", cp.name AS "counterpartyName", o.currency,
    m.removed_at IS NULL AS "isActive"
  FROM members m
  JOIN users u ON u.id = m.user_id
  JOIN organizations o ON o.id = m.organization_id
  LEFT JOIN counterparties cp ON cp.organization_id = m.organization_id
    AND cp.id = ${parameter("counterpartyId")}
  WHERE m.organization_id = $1::text AND m.user_id = ${parameter("ownerId")}
    AND (${parameter("counterpartyId")} IS NULL OR cp.id IS NOT NULL))`;

/** The row as now stored, with the names that every SELECT of contracts joins. */
const written = (row: string) =>
  `written AS (SELECT ${row}.*, "counterpartyName", "ownerName", "ownerEmail", ${fieldKeys} FROM ${row}, parties)`;

const writtenOfMany = (rows: string) => `written AS (
      SELECT ${rows}.*, cp.name AS "counterpartyName", u.name AS "ownerName", u.email AS "ownerEmail",
        ${fieldKeys}
      FROM ${rows} JOIN users u ON u.id = ${rows}."ownerId"
      LEFT JOIN counterparties cp ON cp.organization_id = $1::text AND cp.id = ${rows}."counterpartyId")`;

const sqlOf = (name: ColumnName) => columns[name].sql;

function insertion(): string {
  const parameter = parameterIn(inserted);
  const given = (name: ColumnName) =>
    name === "valueCurrency"
      ? `COALESCE(${parameter(name)}, CASE WHEN ${parameter("valueCents")} IS NOT NULL THEN currency END)`
      : parameter(name);
  return `${parties(parameter)},
    made AS (
      INSERT INTO contracts AS c (organization_id, ${inserted.map(sqlOf).join(", ")})
      SELECT $1::text, ${inserted.map(given).join(", ")} FROM parties WHERE "isActive"
      RETURNING ${allColumns}),
    ${written("made")}`;
}

/**
 * Inserts many rows, each parameter a list of texts; rows whose owner or counterparty does not belong to the
 * workspace are left out.
 */
function insertionOfMany(): string {
  const lists = inserted.map((_, index) => `$${index + 2}::text[]`);
  const given = (name: ColumnName) => {
    const column = `row.${sqlOf(name)}::${columns[name].cast}`;
    if (name !== "valueCurrency") return column;
    return `COALESCE(${column}, CASE WHEN row.${sqlOf("valueCents")} IS NOT NULL THEN o.currency END)`;
  };
  return `made AS (
      INSERT INTO contracts AS c (organization_id, ${inserted.map(sqlOf).join(", ")})
      SELECT $1::text, ${inserted.map(given).join(", ")}
      FROM unnest(${lists.join(", ")}) WITH ORDINALITY AS row (${inserted.map(sqlOf).join(", ")}, position)
      JOIN organizations o ON o.id = $1::text
      JOIN members m ON m.organization_id = $1::text AND m.user_id = row.owner_id AND m.removed_at IS NULL
      LEFT JOIN counterparties cp ON cp.organization_id = $1::text AND cp.id = row.counterparty_id
      WHERE row.counterparty_id IS NULL OR cp.id IS NOT NULL
      ORDER BY position
      RETURNING ${allColumns}),
    ${writtenOfMany("made")}`;
}

function update(): string {
  const parameter = parameterIn(updated);
  const next = updated.length + 2;
  return `${parties(parameter)},
    updated AS (
      UPDATE contracts AS c SET ${updated.map((name) => `${sqlOf(name)} = ${parameter(name)}`).join(", ")}
      WHERE c.organization_id = $1::text AND c.id = $${next}::text AND c.revision = $${next + 1}::int
        AND EXISTS (SELECT 1 FROM parties)
      RETURNING ${allColumns}),
    ${written("updated")}`;
}

/**
 * Updates many rows, each parameter a list of texts; rows changed by someone else since they were read are
 * left out. Statements lock rows in the same order, so two of them cannot deadlock.
 */
function updateOfMany(): string {
  const names = updated.map(sqlOf);
  const lists = [...names, "id", "revision"].map((_, index) => `$${index + 2}::text[]`);
  return `taken AS (
      SELECT row.* FROM unnest(${lists.join(", ")}) AS row (${names.join(", ")}, id, revision)
      JOIN contracts c ON c.organization_id = $1::text AND c.id = row.id AND c.revision = row.revision::int
      ORDER BY c.id FOR UPDATE OF c),
    updated AS (
      UPDATE contracts AS c SET ${updated.map((name) => `${sqlOf(name)} = taken.${sqlOf(name)}::${columns[name].cast}`).join(", ")}
      FROM taken
      JOIN members m ON m.organization_id = $1::text AND m.user_id = taken.owner_id
      LEFT JOIN counterparties cp ON cp.organization_id = $1::text AND cp.id = taken.counterparty_id
      WHERE c.organization_id = $1::text AND c.id = taken.id AND c.revision = taken.revision::int
        AND (taken.counterparty_id IS NULL OR cp.id IS NOT NULL)
      RETURNING ${allColumns}),
    ${writtenOfMany("updated")}`;
}

const insertSql = insertion();
const insertManySql = insertionOfMany();
const updateSql = update();
const updateManySql = updateOfMany();

/**
 * Returns a column's value as a parameter. Lists become PostgreSQL array literals, so that a list of them is
 * not a nested array.
 */
function parameterOf<Name extends ColumnName>(name: Name, row: Pick<StoredContract, Name>) {
  const value: string | number | boolean | object | null = row[name];
  if (typeof value !== "object" || value === null) return value;
  if (!Array.isArray(value)) return JSON.stringify(value);
  return `{${value.map((item: string) => `"${item.replaceAll(/[\\"]/g, "\\$&")}"`).join(",")}}`;
}

/**
 * Returns a new contract as common table expressions and their values. An amount without a currency gets the
 * workspace's.
 */
export function insertOf(ctx: Context, row: Inserted) {
  return { ctes: insertSql, values: [ctx.organizationId, ...inserted.map((name) => parameterOf(name, row))] };
}

/** Returns new contracts of one workspace as common table expressions and their values. */
export function insertManyOf(ctx: Context, rows: Inserted[]) {
  return { ctes: insertManySql, values: [ctx.organizationId, ...textsOf(inserted, rows)] };
}

/** Returns the values of the rows as texts, column by column. */
function textsOf<Name extends ColumnName>(names: Name[], rows: Pick<StoredContract, Name>[]) {
  return names.map((name) => rows.map((row) => parameterOf(name, row)?.toString() ?? null));
}

/** A contract's new values, with the revision that was read. */
export type Update = Updated & Pick<StoredContract, "id" | "revision">;

/**
 * Returns an update of the row if its revision is the one that was read, as common table expressions and
 * their values.
 */
export function updateOf(ctx: Context, row: Update) {
  const values = updated.map((name) => parameterOf(name, row));
  return { ctes: updateSql, values: [ctx.organizationId, ...values, row.id, row.revision] };
}

/**
 * Returns updates of different contracts of one workspace, each if its revision is the one that was read, as
 * common table expressions and their values.
 */
export function updateManyOf(ctx: Context, rows: Update[]) {
  return {
    ctes: updateManySql,
    values: [ctx.organizationId, ...textsOf([...updated, "id", "revision"], rows)],
  };
}
