"use client";
import { useOperation } from "#components/query.tsx";
import type { CustomField } from "#lib/custom-fields/schema.ts";

const none: CustomField[] = [];

/** The workspace's custom fields, by name; none until they are known. */
export const useCustomFields = (): CustomField[] => useOperation("customFields.list", {}).data?.data ?? none;
