"use client";
/** Actions on an obligation: complete, waive, accept, reject and reopen. */
import { Check, MoreHorizontal } from "lucide-react";
import { useState } from "react";
import { useAct } from "#components/query.tsx";
import { useMay } from "#components/session.tsx";
import { Button, IconButton } from "#components/ui/button.tsx";
import { ConfirmDialog } from "#components/ui/confirm-dialog.tsx";
import { Menu, MenuItem } from "#components/ui/menu.tsx";
import { useToast } from "#components/ui/toast.tsx";
import { canRequest, type ObligationStatus, obligationLifecycle } from "#lib/obligations/lifecycle.ts";
import type { Obligation } from "#lib/obligations/schema.ts";

/** The properties of an obligation that a status change needs. */
export type Movable = Pick<Obligation, "id" | "title" | "status" | "recurrenceMonths" | "resolvedDate">;

type Asked = "COMPLETED" | "WAIVED" | "UPCOMING" | "CANCELLED";

function useObligationMoves() {
  const toast = useToast();
  const patch = useAct("obligations.patch", {
    invalidates: ["obligations", "proposals", "home", "notifications", "auditEvents", "contracts.activity"],
    optimistic: ({ id, status }, memory) => {
      // A recurring obligation gets its next date, which only the server calculates.
      const revise = <Row extends Obligation>(row: Row): Row =>
        row.id === id && status && row.recurrenceMonths === null ? { ...row, status } : row;
      memory.updateAll("obligations.agenda", (answer) => ({ ...answer, data: answer.data.map(revise) }));
      memory.updateAll("obligations.listOfContract", (answer) => ({ data: answer.data.map(revise) }));
    },
  });
  return async (movable: Movable, status: Asked) => {
    const { id, status: before } = movable;
    const { obligation } = await patch.run({
      id,
      status,
      ...(status === "COMPLETED" && occurrenceOf(movable)),
    });
    const said = {
      COMPLETED: "Completed",
      WAIVED: "Waived",
      CANCELLED: "Rejected",
      UPCOMING: before === "SUGGESTED" ? "Accepted" : "Reopened",
    };
    const recurs = status === "COMPLETED" && obligation.status !== "COMPLETED";
    const canUndo =
      status !== "UPCOMING" && !recurs && before !== "SUGGESTED" && canRequest(obligation.status, "UPCOMING");
    toast({
      title: recurs ? "Completed. Moved to its next date" : said[status],
      detail: obligation.title,
      undo: canUndo ? () => void patch.run({ id, status: "UPCOMING" }).catch(() => undefined) : undefined,
    });
  };
}

/**
 * Returns the occurrence on screen. A recurring obligation stays open, so only its date identifies the one
 * completed.
 */
export const occurrenceOf = ({ recurrenceMonths, resolvedDate }: Movable) =>
  recurrenceMonths !== null && { occurrence: resolvedDate };

const labels: Record<Asked, string> = {
  COMPLETED: "Mark as completed",
  WAIVED: "Waive",
  CANCELLED: "Reject",
  UPCOMING: "Reopen",
};

/**
 * The selector of the button of an obligation's first action. It is focused after the previous obligation has
 * left the list.
 */
export const firstActionSelector = "[data-moves] button";

export interface ObligationMovesProps {
  obligation: Movable;
  onEdit?(): void;
  /** Called when a status change starts, after which the pressed button may disappear. */
  onMove?(): void;
}

export function ObligationMoves({ obligation, onEdit, onMove }: ObligationMovesProps) {
  const may = useMay();
  const move = useObligationMoves();
  const [isRejecting, setRejecting] = useState(false);
  if (!may("obligations:write")) return null;
  const { status, title } = obligation;
  const act = (to: Asked) => {
    onMove?.();
    void move(obligation, to).catch(() => undefined);
  };
  const isOpen = ["PENDING_ANCHOR", "UPCOMING", "DUE", "OVERDUE"].includes(status);
  const others: Asked[] =
    status === "SUGGESTED" ? ["CANCELLED", "COMPLETED"] : isOpen ? ["WAIVED"] : ["UPCOMING", "COMPLETED"];
  return (
    <span data-moves className="relative z-10 inline-flex items-center gap-1">
      {isOpen && (
        <IconButton
          label={`Complete: ${title}`}
          size="sm"
          variant="secondary"
          onClick={() => act("COMPLETED")}
        >
          <Check aria-hidden />
        </IconButton>
      )}
      {status === "SUGGESTED" && (
        <Button size="sm" aria-label={`Accept: ${title}`} onClick={() => act("UPCOMING")}>
          Accept
        </Button>
      )}
      <Menu
        align="end"
        label={title}
        trigger={
          <IconButton label={`More for: ${title}`} size="sm">
            <MoreHorizontal aria-hidden />
          </IconButton>
        }
      >
        {onEdit && <MenuItem onSelect={onEdit}>Edit</MenuItem>}
        {others.map((to) => (
          <MenuItem
            key={to}
            disabledReason={whyNot(status, to)}
            onSelect={() => (to === "CANCELLED" ? setRejecting(true) : act(to))}
          >
            {labels[to]}
          </MenuItem>
        ))}
      </Menu>
      <ConfirmDialog
        open={isRejecting}
        onOpenChange={setRejecting}
        title={`Reject “${title}”?`}
        description="It is not proposed again."
        action="Reject"
        onConfirm={() => move(obligation, "CANCELLED")}
      />
    </span>
  );
}

function whyNot(from: ObligationStatus, to: Asked): string | null {
  if (canRequest(from, to)) return null;
  return obligationLifecycle[from].why ?? "It already has this status.";
}
