"use client";
/** Reports the outcome of a change to several contracts, and offers to undo it. */
import { useToast } from "#components/ui/toast.tsx";
import { counted } from "#components/words.ts";
import type { Contract, ManyChanged } from "#lib/contracts/schema.ts";

export interface BulkOutcome {
  contracts: readonly Pick<Contract, "id" | "title">[];
  results: ManyChanged["results"];
  /** What was done to them, as the end of the toast's title: "archived". */
  done: string;
  /** Undoes the change to the contracts that it affected. */
  undo(ids: string[]): Promise<unknown>;
}

export function useBulkToast(): (outcome: BulkOutcome) => void {
  const toast = useToast();
  return ({ contracts, results, done, undo }) => {
    const changed = results.filter((result) => result.changed).map(({ id }) => id);
    const refused = results.filter(({ ok }) => !ok);
    if (changed.length > 0) {
      toast({
        title: `${counted(changed.length, "contract")} ${done}`,
        undo: () => void undo(changed).catch(() => undefined),
      });
    } else if (refused.length === 0) {
      toast({ title: "Nothing to change" });
    }
    if (refused.length === 0) return;
    const titles = new Map(contracts.map(({ id, title }) => [id, title]));
    const detail = refused.slice(0, 3).map(({ id, message }) => `${titles.get(id)}: ${message}`);
    toast({
      tone: "failed",
      title: `${counted(refused.length, "contract")} not ${done}`,
      detail: detail.join(" "),
    });
  };
}
