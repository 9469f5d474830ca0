"use client";
import { ArrowRight } from "lucide-react";
import type { ComponentProps } from "react";
import { needsConfirmation, useMove } from "#components/contracts/move.ts";
import type { MoveDialog } from "#components/contracts/move-dialog.tsx";
import { useOperation } from "#components/query.tsx";
import { inWords } from "#components/words.ts";
import { contractLifecycle } from "#lib/contracts/lifecycle.ts";
import { Group, Row } from "./palette-entries.tsx";

/** A move that must be confirmed first. */
export type MoveToConfirm = Omit<ComponentProps<typeof MoveDialog>, "onClose">;

interface ContractMovesProps {
  id: string;
  wanted: string;
  onMove(run: () => void): void;
  onAsk(move: MoveToConfirm): void;
}

/** The palette's status changes for the contract whose page is open. */
export function ContractMoves({ id, wanted, onMove, onAsk }: ContractMovesProps) {
  const { data } = useOperation("contracts.read", { id });
  const status = data?.contract.status ?? "DRAFT";
  const moveTo = useMove({ id, status });
  const moves = data ? contractLifecycle[status].to : [];
  return (
    <Group heading="This contract">
      {moves
        .map((next) => ({ next, label: `Move to ${inWords(next).toLowerCase()}` }))
        .filter(({ label }) => label.toLowerCase().includes(wanted))
        .map(({ next, label }) => (
          <Row
            key={next}
            value={`move ${next}`}
            icon={ArrowRight}
            onSelect={() =>
              needsConfirmation(next)
                ? onAsk({ next, onMove: (reason) => moveTo(next, reason) })
                : onMove(() => void moveTo(next).catch(() => undefined))
            }
          >
            {label}
          </Row>
        ))}
    </Group>
  );
}
