"use client";
/** Changes a contract's status, for all places that offer it. */
import { useAct } from "#components/query.tsx";
import { useToast } from "#components/ui/toast.tsx";
import { inWords } from "#components/words.ts";
import { type ContractStatus, contractLifecycle } from "#lib/contracts/lifecycle.ts";
import type { Contract } from "#lib/contracts/schema.ts";
import { canMove } from "#lib/core/lifecycle.ts";
import { closesObligations } from "#lib/obligations/lifecycle.ts";

/** The statuses that are confirmed first: they also close obligations, or cannot be undone. */
export type ConfirmedStatus = "EXECUTED" | "TERMINATED" | "CANCELLED";

export const needsConfirmation = (next: ContractStatus): next is ConfirmedStatus =>
  next === "EXECUTED" || closesObligations(next);

/** The operations whose results a change of status makes outdated. */
export const invalidatedByMove = ["contracts", "approvals", "obligations", "home", "auditEvents"] as const;

/**
 * Returns a function that changes the status, shows a toast, and offers to undo it if possible. It rejects if
 * the change is refused.
 */
export function useMove({ id, status }: Pick<Contract, "id" | "status">) {
  const toast = useToast();
  const move = useAct("contracts.setStatus", {
    invalidates: invalidatedByMove,
    optimistic: ({ next }, memory) =>
      memory.updateAll("contracts.read", (answer) =>
        answer.contract.id === id ? { contract: { ...answer.contract, status: next } } : answer,
      ),
  });
  return async (next: ContractStatus, reason?: string): Promise<void> => {
    await move.run({ id, next, reason });
    const back = canMove(contractLifecycle, next, status) && !closesObligations(next);
    toast({
      title: `Moved to ${inWords(next).toLowerCase()}`,
      undo: back ? () => void move.run({ id, next: status }).catch(() => undefined) : undefined,
    });
  };
}
