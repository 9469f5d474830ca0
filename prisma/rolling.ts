/**
 * What a migration may do. While servers are replaced one by one, those of the previous version still use the same
 * database: a migration may only add what they need not know, and may lock no table for longer than a moment.
 * What they use is dropped by a later version's migration, which says since when nothing uses it.
 */
import { type Statement, statementsOf } from "./statements.ts";

export interface Migration {
  name: string;
  sql: string;
}

interface Rule {
  breaks: RegExp;
  why: string;
  /** Allowed in a migration that names the earlier one since which nothing uses what it drops. */
  unlessUnused?: true;
  /** Allowed in a migration that names the earlier one since which nothing writes what it forbids. */
  unlessKept?: true;
  /** Allowed for a table that the same migration creates. */
  unlessNew?: true;
}

const dropped = "the version before still uses it: drop it in a later version";
const forbids = "the version before may write what it forbids: add it in a later version";
const reads = "it locks the table while it reads all of it";
const rewrites = "it locks the table while it writes all of it anew";

/** Each rule applies to one step: a statement, or one of the actions of an ALTER TABLE. */
const rules: Rule[] = [
  {
    breaks:
      /^DROP (TABLE|(MATERIALIZED )?VIEW|FUNCTION|PROCEDURE|TYPE|DOMAIN|SCHEMA|EXTENSION|SEQUENCE|TRIGGER|RULE|POLICY)\b/i,
    why: dropped,
    unlessUnused: true,
  },
  { breaks: /^ALTER TABLE \w+ DROP (?!CONSTRAINT\b)/i, why: dropped, unlessUnused: true, unlessNew: true },
  {
    breaks: /^ALTER TABLE \w+ ALTER (COLUMN )?\w+ DROP DEFAULT/i,
    why: dropped,
    unlessUnused: true,
    unlessNew: true,
  },
  { breaks: /^ALTER .*\bRENAME\b/i, why: "the version before knows it by its old name: add a new one" },
  {
    breaks: /^ALTER TABLE \w+ (ALTER (COLUMN )?\w+ (SET DATA )?TYPE|SET (UN)?LOGGED|SET TABLESPACE)\b/i,
    why: rewrites,
    unlessNew: true,
  },
  {
    breaks: /^ALTER TABLE \w+ ADD (COLUMN )?(?!CONSTRAINT\b)(?!.*\bDEFAULT\b).*\bNOT NULL\b/i,
    why: "the version before creates rows without it: let it be null, or give it a default",
    unlessNew: true,
  },
  {
    breaks:
      /^ALTER TABLE \w+ ADD (COLUMN )?(?!CONSTRAINT\b).*(\bGENERATED\b|SERIAL\b|\bDEFAULT (?!now\b)\w+ ?\()/i,
    why: rewrites,
    unlessNew: true,
  },
  {
    breaks: /^ALTER TABLE \w+ ADD (?!.*\bNOT VALID\b).*\b(REFERENCES|CHECK)\b/i,
    why: `${reads}: add it NOT VALID, and validate it in another migration`,
    unlessNew: true,
  },
  {
    breaks: /^ALTER TABLE \w+ ADD .*\b(REFERENCES|CHECK|UNIQUE|PRIMARY KEY|EXCLUDE)\b/i,
    why: forbids,
    unlessKept: true,
    unlessNew: true,
  },
  {
    breaks: /^ALTER TABLE \w+ ADD (?!.*\bUSING INDEX\b).*\b(UNIQUE|PRIMARY KEY|EXCLUDE)\b/i,
    why: `${reads}: create the index concurrently, and add the constraint by it`,
    unlessNew: true,
  },
  {
    breaks: /^CREATE (UNIQUE )?INDEX (?!CONCURRENTLY\b)/i,
    why: `${reads}: create it concurrently, in a migration of its own`,
    unlessNew: true,
  },
  {
    breaks: /^CREATE UNIQUE INDEX\b/i,
    why: forbids,
    unlessKept: true,
    unlessNew: true,
  },
  {
    breaks: /^DROP INDEX (?!CONCURRENTLY\b)/i,
    why: "it waits for, and holds up, whoever uses the table: drop it concurrently, in a migration of its own",
    unlessNew: true,
  },
  {
    breaks: /^(UPDATE|DELETE FROM)\b/i,
    why: "it locks every row until the migration ends: leave it to a job, in parts",
    unlessNew: true,
  },
  { breaks: /^(LOCK|TRUNCATE|CLUSTER|VACUUM|REINDEX|REFRESH)\b/i, why: "it locks the whole table" },
  { breaks: /^DO\b/i, why: "what a block does cannot be checked: write it as statements" },
];

const unusedSince = /^-- Unused since (\d{14}_\w+)/m;
const keptSince = /^-- Kept since (\d{14}_\w+)/m;

/** Why a migration would break servers of the previous version. `before` are the migrations that precede it. */
export function breachesOf({ name, sql }: Migration, before: Migration[]): string[] {
  const statements = statementsOf(sql);
  const steps = statements.flatMap(stepsOf);
  const created = new Set(steps.flatMap((step) => createdBy.exec(step)?.[1] ?? []));
  const isEarlier = (said: RegExp) => before.some((one) => one.name === said.exec(sql)?.[1]);
  const [isUnused, isKept] = [isEarlier(unusedSince), isEarlier(keptSince)];
  const broken = steps.flatMap((step) =>
    rules
      .filter(({ breaks }) => breaks.test(step))
      .filter(({ unlessUnused }) => !(unlessUnused && isUnused))
      .filter(({ unlessKept }) => !(unlessKept && isKept))
      .filter(({ unlessNew }) => !(unlessNew && created.has(tableOf(step))))
      .map(({ why }) => `${step.slice(0, 100)}: ${why}`),
  );
  const earlier = before.flatMap((one) => statementsOf(one.sql).flatMap(stepsOf));
  const loosened = isUnused ? [] : withoutKeys(steps, earlier, created);
  const breaches = [...broken, ...loosened, ...unprepared(steps, earlier, created), ...halfway(statements)];
  return breaches.map((breach) => `${name}: ${breach}`);
}

const createdBy = /^CREATE (?:UNLOGGED )?TABLE (?:IF NOT EXISTS )?(\w+)/i;

/** The table that a step locks; empty for other kinds of step. */
function tableOf(step: string): string {
  const named = /^(?:ALTER TABLE|UPDATE|DELETE FROM) (\w+)|^CREATE (?:UNIQUE )?INDEX .*?\bON (\w+)/i.exec(
    step,
  );
  return named?.[1] ?? named?.[2] ?? "";
}

/** The steps of a statement, each on one line and without quotes. An ALTER TABLE yields one step per action. */
function stepsOf({ code }: Statement): string[] {
  const line = code
    .replaceAll('"', "")
    .replace(/\s+/g, " ")
    .replace(/\b(ONLY |IF EXISTS |public\.)/gi, "");
  const alter = /^(ALTER TABLE \w+) (.*)$/i.exec(line);
  if (!alter) return [line];
  // Commas inside parentheses separate columns, not actions.
  const actions = alter[2]!.split(/,(?![^(]*\))/);
  return actions.map((action) => `${alter[1]} ${action.trim()}`);
}

const uniqueIndex = /^CREATE UNIQUE INDEX (?:CONCURRENTLY )?(?:IF NOT EXISTS )?(\w+)/i;
const check = /^ALTER TABLE \w+ ADD CONSTRAINT (\w+) CHECK\b/i;

/**
 * Dropped keys that the previous version's writes rely on: `ON CONFLICT` names unique keys, and foreign keys delete
 * dependent rows. A CHECK can be dropped at any time.
 */
function withoutKeys(steps: string[], earlier: string[], created: Set<string>): string[] {
  const named = (rule: RegExp, among: string[]) =>
    new Set(among.flatMap((step) => rule.exec(step)?.[1] ?? []));
  const [unique, checks] = [named(uniqueIndex, earlier), named(check, earlier)];
  const again = named(uniqueIndex, steps);
  return steps.flatMap((step) => {
    const index = /^DROP INDEX (?:CONCURRENTLY )?(\w+)/i.exec(step)?.[1];
    if (index && unique.has(index) && !again.has(index)) return [`${step}: ${dropped}`];
    const constraint = /^ALTER TABLE \w+ DROP CONSTRAINT (\w+)/i.exec(step)?.[1];
    if (constraint && !checks.has(constraint) && !created.has(tableOf(step))) return [`${step}: ${dropped}`];
    return [];
  });
}

const validating = /\bVALIDATE CONSTRAINT (\w+)/i;

/** Steps that are fast only if an earlier migration has done the slow part. */
function unprepared(steps: string[], earlier: string[], created: Set<string>): string[] {
  const validated = new Set(earlier.flatMap((step) => validating.exec(step)?.[1] ?? []));
  const added = new Set(steps.flatMap((step) => /\bADD CONSTRAINT (\w+).* NOT VALID/i.exec(step)?.[1] ?? []));
  return steps.flatMap((step) => {
    const [, table = "", column = ""] =
      /^ALTER TABLE (\w+) ALTER (?:COLUMN )?(\w+) SET NOT NULL/i.exec(step) ?? [];
    const proof = `${table}_${column}_not_null`;
    if (table && !created.has(table) && !validated.has(proof))
      return [`${step}: ${reads}: first validate a constraint ${proof} in another migration`];
    const name = validating.exec(step)?.[1];
    return name && added.has(name)
      ? [`${step}: the lock of adding it lasts until then: validate it in another migration`]
      : [];
  });
}

const concurrent = /^(DROP INDEX CONCURRENTLY IF EXISTS|CREATE (?:UNIQUE )?INDEX CONCURRENTLY) "?(\w+)/i;

/** A migration without a transaction can be left half done, so it must be repeatable. */
function halfway(statements: Statement[]): string[] {
  if (!statements.some(({ code }) => /\bCONCURRENTLY\b/i.test(code))) return [];
  const [first, second, ...more] = statements.map(({ code }) => concurrent.exec(code));
  const drops = first?.[1]?.startsWith("DROP") && more.length === 0;
  if (drops && (second === undefined || second?.[2] === first?.[2])) return [];
  return [
    "an index has a migration of its own: DROP INDEX CONCURRENTLY IF EXISTS, then CREATE INDEX CONCURRENTLY",
  ];
}
