"use client";
import { useOperation } from "#components/query.tsx";
import { hasShortYear, shortYear } from "#components/ui/typed.ts";
import type { CustomField } from "#lib/custom-fields/schema.ts";

/** Returns errors for dates with an incomplete year, in the format of the server's issues. */
export const shortYearsOf = (fields: CustomField[], values: Record<string, string>) =>
  fields
    .filter(({ type, key }) => type === "date" && hasShortYear(values[key]))
    .map(({ key }) => ({ path: `customFields.${key}`, message: shortYear }));

const none: CustomField[] = [];

/** Returns the workspace's custom fields, sorted by name; none while loading. */
export const useCustomFields = (): CustomField[] => useOperation("customFields.list", {}).data?.data ?? none;
