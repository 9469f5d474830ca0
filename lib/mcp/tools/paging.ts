/**
 * Lists in results: as many rows as fit, and a cursor to the rest. A cursor is the number of rows before it. So the
 * server stores nothing, and cursors work with any page size of the operation.
 */
import { z } from "zod";
import { invalid } from "#lib/core/errors.ts";
import { Budget, takeFitting } from "../answers/budget.ts";

export const cursor = z
  .string()
  .max(600, "is not a cursor")
  .optional()
  .meta({ description: "nextCursor of the answer before" });

/** The fields that end every list in a result. */
export const pagingFields = {
  truncated: z.boolean(),
  nextCursor: z.string().nullable(),
};

/** Returns the index of the first row. */
export function startOf(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  if (!/^\d{1,12}$/.test(cursor))
    throw invalid({ path: "cursor", message: "is not a nextCursor of this tool" });
  return Number(cursor);
}

/** Returns the page that contains the row, and the number of rows before it on that page. */
export function pageWith(start: number, pageSize: number): { page: number; skip: number } {
  return { page: Math.floor(start / pageSize) + 1, skip: start % pageSize };
}

interface List<Item, Row> {
  /** The rows that were read, from `start` on. */
  items: readonly Item[];
  start: number;
  total: number;
  lineOf(item: Item): string;
  /** The part of an item that the result includes. */
  rowOf(item: Item): Row;
  budget?: Budget;
}

/** Returns the rows that fit, and the cursor to the next ones. */
export function paginate<Item, Row>(list: List<Item, Row>) {
  const { items, start, total, lineOf, rowOf, budget = new Budget() } = list;
  const fitted = takeFitting(budget, items, lineOf, rowOf);
  const end = start + fitted.count;
  const isAll = end >= total || fitted.count === 0;
  return {
    items: fitted.items,
    text: fitted.lines.join("\n"),
    more: {
      truncated: !isAll,
      nextCursor: isAll ? null : String(end),
    },
    /** The same, as text. */
    note: isAll
      ? ""
      : `\nThese are ${start + 1} to ${end} of ${total}. Call again with cursor "${end}" for more.`,
  };
}
