"use client";
import { clsx } from "clsx";
import { useFading } from "#components/fading.ts";
import { useFocusNext } from "#components/focus-next.ts";
import { SelectAllTh, type Selection, toggled } from "#components/selection.tsx";
import { useMay } from "#components/session.tsx";
import { Checkbox } from "#components/ui/choice.tsx";
import { NameLink } from "#components/ui/link.tsx";
import { ActionsTh, Table, Td, Th, Tr } from "#components/ui/table.tsx";
import { DayText } from "#components/ui/time.tsx";
import { inWords } from "#components/words.ts";
import type { Obligation, ObligationInContract } from "#lib/obligations/schema.ts";
import { AssigneeName } from "./assignee.tsx";
import { Basis } from "./basis.tsx";
import { firstActionSelector, ObligationMoves } from "./moves.tsx";
import { ParentNames } from "./parent-names.tsx";
import { ObligationBadge } from "./status.tsx";

export interface ObligationsTableProps {
  obligations: ObligationInContract[];
  isPrevious: boolean;
  onEdit(obligation: Obligation): void;
  /** Null if the member may not do anything with a selection. */
  selection: Selection | null;
}

export function ObligationsTable({ obligations, isPrevious, onEdit, selection }: ObligationsTableProps) {
  const fading = useFading(isPrevious);
  const may = useMay();
  const { list, onAction } = useFocusNext<HTMLTableSectionElement>(obligations, {
    button: firstActionSelector,
  });
  const toggle = (id: string) => selection?.onChange(toggled(selection.ids, id));
  return (
    <Table label="Obligations" className={fading}>
      <thead>
        <tr>
          {selection && <SelectAllTh rows={obligations} selection={selection} />}
          <Th className="max-sm:hidden">Due</Th>
          <Th>Obligation</Th>
          <Th className="max-lg:hidden">Assignee</Th>
          <Th className="max-xl:hidden">Kind</Th>
          <Th className="max-sm:hidden">Status</Th>
          {may("obligations:write") && <ActionsTh />}
        </tr>
      </thead>
      <tbody ref={list}>
        {obligations.map((obligation) => (
          <Tr
            key={obligation.id}
            className={clsx("relative", selection?.ids.has(obligation.id) && "bg-accent-soft/50")}
          >
            {selection && (
              <Td className="relative z-10 pr-0">
                <Checkbox
                  label={`Select ${obligation.title}`}
                  labelHidden
                  checked={selection.ids.has(obligation.id)}
                  onChange={() => toggle(obligation.id)}
                />
              </Td>
            )}
            <Td
              className={clsx(
                "w-28 max-sm:hidden",
                obligation.status === "OVERDUE" && "font-medium text-danger",
              )}
            >
              <DayText value={obligation.resolvedDate} empty="No date" />
            </Td>
            <Td className="w-full max-w-0">
              <NameLink
                href={`/contracts/${obligation.contractId}`}
                prefetch={false}
                className="block [overflow-wrap:anywhere] after:absolute after:inset-0 sm:line-clamp-2"
              >
                {obligation.title}
              </NameLink>
              <span className={clsx("block sm:hidden", obligation.status === "OVERDUE" && "text-danger")}>
                <DayText value={obligation.resolvedDate} empty="No date" />
              </span>
              <span className="block text-quiet text-xs [overflow-wrap:anywhere]">
                <ParentNames obligation={obligation} />
              </span>
              <AssigneeName obligation={obligation} className="lg:hidden" />
              <span className="block text-faint text-xs">
                <Basis obligation={obligation} />
              </span>
              <span className="mt-0.5 block sm:hidden">
                <ObligationBadge status={obligation.status} />
              </span>
            </Td>
            <Td className="min-w-36 max-w-44 max-lg:hidden">
              <AssigneeName obligation={obligation} />
            </Td>
            <Td className="whitespace-nowrap text-quiet max-xl:hidden">{inWords(obligation.kind)}</Td>
            <Td className="max-sm:hidden">
              <ObligationBadge status={obligation.status} />
            </Td>
            {may("obligations:write") && (
              <Td className="text-right">
                <ObligationMoves
                  obligation={obligation}
                  onEdit={() => onEdit(obligation)}
                  onMove={() => onAction(obligation.id)}
                />
              </Td>
            )}
          </Tr>
        ))}
      </tbody>
    </Table>
  );
}
