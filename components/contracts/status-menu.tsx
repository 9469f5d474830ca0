"use client";
/** A contract's status, and the statuses it can change to. */
import { ChevronDown } from "lucide-react";
import { useState } from "react";
import { useOperation } from "#components/query.tsx";
import { useMay } from "#components/session.tsx";
import { lazily } from "#components/ui/lazily.tsx";
import { Menu, MenuItem, MenuLabel } from "#components/ui/menu.tsx";
import { inWords } from "#components/words.ts";
import { type ContractStatus, contractLifecycle, contractStatuses } from "#lib/contracts/lifecycle.ts";
import type { Contract } from "#lib/contracts/schema.ts";
import { canMove } from "#lib/core/lifecycle.ts";
import { type ConfirmedStatus, needsConfirmation, useMove } from "./move.ts";
import { ContractStatusBadge } from "./status.tsx";

const MoveDialog = lazily(() => import("./move-dialog.tsx").then((module) => module.MoveDialog));

export function StatusMenu({ contract }: { contract: Contract }) {
  const may = useMay();
  const [asking, setAsking] = useState<ConfirmedStatus | null>(null);
  const moveTo = useMove(contract);
  const { status } = contract;
  const { data: approval } = useOperation("approvals.ofContract", { id: contract.id });
  if (!may("contracts:write")) return <ContractStatusBadge status={status} />;
  return (
    <>
      <Menu
        label="Status"
        trigger={
          <button
            type="button"
            aria-label={`Status: ${inWords(status)}. Change`}
            className="flex items-center gap-1 rounded-full py-0.5 pr-1.5 hover:bg-hover"
          >
            <ContractStatusBadge status={status} />
            <ChevronDown aria-hidden className="size-3.5 text-quiet" />
          </button>
        }
      >
        <MenuLabel>Move to</MenuLabel>
        {contractStatuses
          .filter((next) => next !== status)
          .map((next) => (
            <MenuItem
              key={next}
              disabledReason={
                whyNot(status, next) ??
                (next === "APPROVED" && approval?.isNeeded ? "Needs approval first." : null)
              }
              onSelect={() =>
                needsConfirmation(next) ? setAsking(next) : void moveTo(next).catch(() => undefined)
              }
            >
              {inWords(next)}
            </MenuItem>
          ))}
      </Menu>
      {asking && (
        <MoveDialog
          next={asking}
          onClose={() => setAsking(null)}
          onMove={(reason) => moveTo(asking, reason)}
        />
      )}
    </>
  );
}

/** Returns a short reason why a person cannot make this change, or null if they can. */
function whyNot(from: ContractStatus, to: ContractStatus): string | null {
  if (canMove(contractLifecycle, from, to)) return null;
  const { why, system = [] } = contractLifecycle[from];
  if (why) return why;
  if (to === "OUT_FOR_SIGNATURE" && system.includes(to)) return "Set when it is sent for signature.";
  if (to === "ACTIVE" || to === "EXPIRED") return "Set by its dates, once it is executed.";
  return `Not from ${inWords(from).toLowerCase()}.`;
}
