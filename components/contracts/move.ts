"use client";
/** Changes a contract's status, wherever that is offered. */
import { useAct } from "#components/query.tsx";
import { useToast } from "#components/ui/toast.tsx";
import { inWords } from "#components/words.ts";
import { type ContractStatus, contractLifecycle } from "#lib/contracts/lifecycle.ts";
import type { Contract } from "#lib/contracts/schema.ts";
import { canMove } from "#lib/core/lifecycle.ts";
import { closesObligations } from "#lib/obligations/lifecycle.ts";

/** Changes that end more than the contract, or cannot be undone: they are confirmed first. */
export type AskedStatus = "EXECUTED" | "TERMINATED" | "CANCELLED";

export const isAsked = (next: ContractStatus): next is AskedStatus =>
  next === "EXECUTED" || closesObligations(next);

/** Changes the status, reports it, and offers to undo it if possible. Rejects if it is refused. */
export function useMove({ id, status }: Pick<Contract, "id" | "status">) {
  const toast = useToast();
  const move = useAct("contracts.setStatus", {
    invalidates: ["contracts", "approvals", "obligations", "home", "auditEvents"],
    optimistic: ({ next }, memory) =>
      memory.revise("contracts.read", (answer) =>
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
