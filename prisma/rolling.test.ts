import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { breachesOf } from "./rolling.ts";

const folder = join(import.meta.dirname, "migrations");

/** Those before it are history: no server of a version in between was ever to be updated while it ran. */
const sinceRollingUpdates = "20261123030000";

test("no migration since the first rolling update locks a table or removes what the previous version uses", () => {
  const names = readdirSync(folder).filter((name) => /^\d{14}_/.test(name));
  const all = names.sort().map((name) => ({
    name,
    sql: readFileSync(join(folder, name, "migration.sql"), "utf8"),
  }));
  expect(all.length).toBeGreaterThan(20);
  const breaches = all.flatMap((migration, at) =>
    migration.name < sinceRollingUpdates ? [] : breachesOf(migration, all.slice(0, at)),
  );
  expect(breaches).toEqual([]);
});

const earlier = [
  {
    name: "20270101000000_first",
    sql: `ALTER TABLE contracts VALIDATE CONSTRAINT contracts_reference_not_null;
      ALTER TABLE contracts ADD CONSTRAINT c CHECK (reference IS NOT NULL) NOT VALID;
      CREATE UNIQUE INDEX contracts_key ON contracts (number);`,
  },
];

const kept = "-- Kept since 20270101000000_first\n";

const verdict = (sql: string) => breachesOf({ name: "20270201000000_next", sql }, earlier);

test("additive migrations, and removals of what the previous version no longer uses, are accepted", () => {
  for (const sql of [
    `CREATE TABLE "notes" ("id" TEXT NOT NULL, CONSTRAINT "notes_pkey" PRIMARY KEY ("id"));
     CREATE UNIQUE INDEX "notes_id" ON "notes"("id");
     ALTER TABLE "notes" ADD CONSTRAINT "n" FOREIGN KEY ("id", "x") REFERENCES "contracts"("id", "x");
     UPDATE notes SET id = 'UPDATE contracts SET title = 1; DROP TABLE contracts';`,
    `ALTER TABLE contracts ADD COLUMN reference TEXT, ADD COLUMN made_at TIMESTAMPTZ NOT NULL DEFAULT now();
     ALTER TABLE contracts ADD COLUMN price NUMERIC(10, 2) NOT NULL DEFAULT 0, ADD COLUMN of TEXT;`,
    `${kept}ALTER TABLE contracts ADD CONSTRAINT c CHECK (reference IS NOT NULL) NOT VALID`,
    "ALTER TABLE contracts VALIDATE CONSTRAINT c",
    'ALTER TABLE "contracts" ALTER COLUMN "reference" SET NOT NULL, DROP CONSTRAINT c;',
    'DROP INDEX CONCURRENTLY IF EXISTS "contracts_by_x";\nCREATE INDEX CONCURRENTLY "contracts_by_x" ON contracts (x);',
    "DROP INDEX CONCURRENTLY IF EXISTS contracts_by_x -- DROP TABLE contracts",
    `${kept} DROP INDEX CONCURRENTLY IF EXISTS contracts_key; CREATE UNIQUE INDEX CONCURRENTLY contracts_key ON contracts (number, x);`,
    `${kept}ALTER TABLE contracts ADD CONSTRAINT u UNIQUE USING INDEX contracts_key`,
    `CREATE OR REPLACE FUNCTION f() RETURNS void LANGUAGE plpgsql AS $body$ BEGIN
       UPDATE contracts SET x = 1; DROP TABLE x; END $body$;`,
    "-- Unused since 20270101000000_first\nALTER TABLE contracts DROP COLUMN x, DROP y; DROP TABLE old;",
    "-- Unused since 20270101000000_first\nDROP INDEX CONCURRENTLY IF EXISTS contracts_key",
  ]) {
    expect(verdict(sql), sql).toEqual([]);
  }
});

test("migrations that remove, rename, rewrite or lock are refused with the reason", () => {
  const refused: [sql: string, why: string][] = [
    ["DROP TABLE contracts;", "still uses it"],
    ["-- Unused since 20270101000000_other\nDROP TABLE contracts;", "still uses it"],
    ["/* a */ alter table only contracts\n  add column a text,\n  drop column title", "still uses it"],
    ['ALTER TABLE "contracts" DROP "title"', "still uses it"],
    ['ALTER TABLE IF EXISTS "public"."contracts" DROP COLUMN "title"', "still uses it"],
    ["ALTER TABLE contracts ALTER COLUMN title DROP DEFAULT", "still uses it"],
    ["DROP FUNCTION f()", "still uses it"],
    ["DROP TRIGGER t ON contracts", "still uses it"],
    ["DROP INDEX CONCURRENTLY IF EXISTS contracts_key", "still uses it"],
    ["ALTER TABLE contracts DROP CONSTRAINT contracts_owner_fkey", "still uses it"],
    ["DROP INDEX contracts_by_x", "drop it concurrently"],
    ["ALTER TABLE contracts RENAME COLUMN title TO name", "by its old name"],
    ["ALTER TABLE contracts RENAME TO agreements", "by its old name"],
    ["ALTER TYPE status RENAME VALUE 'A' TO 'B'", "by its old name"],
    ["ALTER TABLE contracts ALTER COLUMN title SET DATA TYPE varchar(9)", "writes all of it anew"],
    ["ALTER TABLE contracts ALTER title TYPE varchar(9)", "writes all of it anew"],
    ["ALTER TABLE contracts ADD COLUMN a TEXT NOT NULL, ADD COLUMN b TEXT DEFAULT 'x'", "rows without it"],
    ["ALTER TABLE contracts ADD COLUMN a UUID DEFAULT gen_random_uuid()", "writes all of it anew"],
    ["ALTER TABLE contracts ADD a INT GENERATED ALWAYS AS (1) STORED", "writes all of it anew"],
    [`${kept}ALTER TABLE contracts ADD CONSTRAINT c CHECK (a > 0)`, "NOT VALID"],
    [`${kept}ALTER TABLE contracts ADD CONSTRAINT c FOREIGN KEY (a, b) REFERENCES d (a, b)`, "NOT VALID"],
    [`${kept}ALTER TABLE contracts ADD COLUMN a TEXT REFERENCES d (a)`, "NOT VALID"],
    [
      `${kept}ALTER TABLE contracts ADD CONSTRAINT c CHECK (a > 0) NOT VALID; ALTER TABLE contracts VALIDATE CONSTRAINT c`,
      "in another migration",
    ],
    [`${kept}ALTER TABLE contracts ADD CONSTRAINT c UNIQUE (a)`, "reads all of it"],
    ["ALTER TABLE contracts ADD CONSTRAINT c CHECK (a > 0) NOT VALID", "may write what it forbids"],
    ["ALTER TABLE contracts ADD CONSTRAINT u UNIQUE USING INDEX contracts_key", "may write what it forbids"],
    [
      "DROP INDEX CONCURRENTLY IF EXISTS a; CREATE UNIQUE INDEX CONCURRENTLY a ON contracts (x)",
      "may write what it forbids",
    ],
    ["ALTER TABLE contracts ALTER COLUMN title SET NOT NULL", "contracts_title_not_null"],
    ["CREATE INDEX contracts_by_x ON contracts (x)", "create it concurrently"],
    ["CREATE TABLE notes (); CREATE INDEX contracts_by_x ON contracts (x)", "create it concurrently"],
    ["CREATE INDEX CONCURRENTLY contracts_by_x ON contracts (x)", "a migration of its own"],
    [
      "DROP INDEX CONCURRENTLY IF EXISTS a; CREATE INDEX CONCURRENTLY a ON b (c); CREATE TABLE d ();",
      "a migration of its own",
    ],
    ["UPDATE contracts SET x = 1", "locks every row"],
    ["LOCK TABLE contracts", "locks the whole table"],
    ["DO $$ BEGIN DROP TABLE contracts; END $$", "cannot be checked"],
  ];
  for (const [sql, why] of refused) {
    const breaches = verdict(sql);
    expect(breaches, sql).toHaveLength(1);
    expect(breaches[0], sql).toContain(why);
  }
});
