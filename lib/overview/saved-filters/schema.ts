import { z } from "zod";
import { choice, idOut, pathId, requiredText, text, timestamp } from "#lib/core/wire.ts";

export const filteredLists = [
  "contracts",
  "obligations",
  "counterparties",
  "signatures",
  "templates",
  "auditEvents",
] as const;

const list = choice(filteredLists);

/** The query string of a list's page. */
const query = text(2000);

export const SavedFilter = z.object({
  id: idOut("savedFilter"),
  list: z.enum(filteredLists),
  name: z.string(),
  query: z.string(),
  createdAt: timestamp,
});
export type SavedFilter = z.output<typeof SavedFilter>;

export const SavedFilterQuery = z.strictObject({ list: list.optional() });
export type SavedFilterQuery = z.output<typeof SavedFilterQuery>;
export const SavedFilterList = z.object({ data: z.array(SavedFilter) });
export const NewSavedFilter = z.strictObject({ list, name: requiredText(80), query });
export type NewSavedFilter = z.output<typeof NewSavedFilter>;
export const SavedFilterAnswer = z.object({ savedFilter: SavedFilter });
export const SavedFilterId = z.strictObject({ id: pathId("savedFilter") });
