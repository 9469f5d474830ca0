/**
 * Lists in answers: as much as there is room for, and a cursor to the rest. A cursor is the number of rows before it,
 * so it needs no memory here, whatever page size the operation behind it has.
 */
import { z } from "zod";
import { invalid } from "#lib/core/errors.ts";
import { Budget, fit } from "../answers/budget.ts";

export const cursor = z
  .string()
  .max(600, "is not a cursor")
  .optional()
  .meta({ description: "nextCursor of the answer before" });

/** What every list in an answer ends with. */
export const rest = {
  truncated: z.boolean(),
  nextCursor: z.string().nullable(),
};

/** From which row on. */
export function startOf(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  if (!/^\d{1,12}$/.test(cursor))
    throw invalid({ path: "cursor", message: "is not a nextCursor of this tool" });
  return Number(cursor);
}

/** Which page of an operation has the row, and how many of its rows stand before. */
export function pageWith(start: number, pageSize: number): { page: number; skip: number } {
  return { page: Math.floor(start / pageSize) + 1, skip: start % pageSize };
}

interface List<Item, Row> {
  /** The rows from `start` on, as many as were read. */
  items: readonly Item[];
  start: number;
  total: number;
  lineOf(item: Item): string;
  /** What of a row is answered. */
  rowOf(item: Item): Row;
  budget?: Budget;
}

/** The rows that there is room for, and where the others begin. */
export function listed<Item, Row>(list: List<Item, Row>) {
  const { items, start, total, lineOf, rowOf, budget = new Budget() } = list;
  const fitted = fit(budget, items, lineOf, rowOf);
  const end = start + fitted.count;
  const isAll = end >= total || fitted.count === 0;
  return {
    items: fitted.items,
    text: fitted.lines.join("\n"),
    more: {
      truncated: !isAll,
      nextCursor: isAll ? null : String(end),
    },
    /** For people. */
    note: isAll
      ? ""
      : `\nThese are ${start + 1} to ${end} of ${total}. Call again with cursor "${end}" for more.`,
  };
}
