"use client";
/** The people in custom fields: members, and former members. */
import { useMemo } from "react";
import { useOperation } from "#components/query.tsx";
import { useMay } from "#components/session.tsx";

/** Returns the names of current and former members by user id. Requests them only if `enabled`. */
export function usePeople(enabled: boolean): ReadonlyMap<string, string> {
  const may = useMay();
  const members = useOperation("members.list", {}, { enabled: enabled && may("members:read") });
  const fields = useOperation("customFields.list", {}, { enabled });
  return useMemo(() => {
    const all = [...(fields.data?.formerMembers ?? []), ...(members.data?.data ?? [])];
    return new Map(all.map(({ userId, name }) => [userId, name]));
  }, [members.data, fields.data]);
}
