"use client";
import { useOperation } from "#components/query.tsx";
import { hasShortYear, shortYear } from "#components/ui/typed.ts";
import type { CustomField } from "#lib/custom-fields/schema.ts";

/** What is wrong with the days among values that are typed, as a refusal would tell it. */
export const shortYearsOf = (fields: CustomField[], values: Record<string, string>) =>
  fields
    .filter(({ type, key }) => type === "date" && hasShortYear(values[key]))
    .map(({ key }) => ({ path: `customFields.${key}`, message: shortYear }));

const none: CustomField[] = [];

/** The workspace's custom fields, by name; none until they are known. */
export const useCustomFields = (): CustomField[] => useOperation("customFields.list", {}).data?.data ?? none;
