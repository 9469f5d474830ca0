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
    summary: "List your saved filters",
    scopes: [],
    input: SavedFilterQuery,
    output: SavedFilterList,
    errors: [],
    run: listSavedFilters,
  }),
  save: operation({
    summary: "Save a filter",
    description: "A filter of the same name is replaced.",
    scopes: [],
    input: NewSavedFilter,
    output: SavedFilterAnswer,
    errors: ["conflict"],
    run: saveFilter,
  }),
  remove: operation({
    summary: "Delete a saved filter",
    scopes: [],
    input: SavedFilterId,
    errors: ["not_found"],
    run: removeFilter,
  }),
};
