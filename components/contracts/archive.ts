"use client";
/** Archives and unarchives contracts, one or many. */
import { useAct } from "#components/query.tsx";
import type { Contract } from "#lib/contracts/schema.ts";
import { useBulkToast } from "./many.ts";

type Named = Pick<Contract, "id" | "title">;

/** Returns a function that archives or unarchives contracts; those already in that state stay unchanged. */
export function useArchive(): (contracts: readonly Named[], archived: boolean) => Promise<void> {
  const showOutcome = useBulkToast();
  const { run } = useAct("contracts.setArchivedOfMany", {
    invalidates: ["contracts", "counterparties", "obligations", "home", "auditEvents"],
  });
  return async (contracts, archived) => {
    const { results } = await run({ ids: contracts.map(({ id }) => id), archived });
    const done = archived ? "archived" : "unarchived";
    showOutcome({ contracts, results, done, undo: (ids) => run({ ids, archived: !archived }) });
  };
}
