import { operation } from "#lib/core/operation.ts";
import { listSavedFilters, removeFilter, saveFilter } from "./saved-filters.ts";
import {
  NewSavedFilter,
  SavedFilterAnswer,
  SavedFilterId,
  SavedFilterList,
  SavedFilterQuery,
} from "./schema.ts";

export const savedFilters = {
  list: operation({
    summary: "List one's own saved filters",
    scopes: [],
    input: SavedFilterQuery,
    output: SavedFilterList,
    errors: [],
    run: listSavedFilters,
  }),
  save: operation({
    summary: "Keep a filter under a name",
    description: "One of that name is replaced.",
    scopes: [],
    input: NewSavedFilter,
    output: SavedFilterAnswer,
    errors: ["conflict"],
    run: saveFilter,
  }),
  remove: operation({
    summary: "Forget one of one's own saved filters",
    scopes: [],
    input: SavedFilterId,
    errors: ["not_found"],
    run: removeFilter,
  }),
};
