/** Lists leave out what is archived unless they are asked for it: as SQL. */
import type { archivedChoices } from "./schema.ts";

type Archived = (typeof archivedChoices)[number] | undefined;

/** Both parts, each in the order of its index: PostgreSQL merges them as it reads them. */
const both = `(SELECT * FROM contracts WHERE NOT archived UNION ALL SELECT * FROM contracts WHERE archived) c`;

export const showsArchived = (archived: Archived) => archived === "true" || archived === "any";

/** What a list reads contracts from, as c. */
export const listed = (archived: Archived) => (archived === "any" ? both : "contracts c");

/** A condition on a table that says which of its rows are of archived contracts; none for all of them. */
export function archivedIs(archived: Archived, table?: string): string[] {
  if (archived === "any") return [];
  const column = table ? `${table}.archived` : "archived";
  return [archived === "true" ? column : `NOT ${column}`];
}
