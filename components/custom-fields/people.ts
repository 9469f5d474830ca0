"use client";
/** Who stands in custom fields: members, and whoever has left since. */
import { useMemo } from "react";
import { useOperation } from "#components/query.tsx";
import { useMay } from "#components/session.tsx";

/** The names of the workspace's people by their userIds; asked for where `enabled`. */
export function usePeople(enabled: boolean): ReadonlyMap<string, string> {
  const may = useMay();
  const members = useOperation("members.list", {}, { enabled: enabled && may("members:read") });
  const fields = useOperation("customFields.list", {}, { enabled });
  return useMemo(() => {
    const all = [...(fields.data?.formerMembers ?? []), ...(members.data?.data ?? [])];
    return new Map(all.map(({ userId, name }) => [userId, name]));
  }, [members.data, fields.data]);
}
