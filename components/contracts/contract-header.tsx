"use client";
/** A contract's title, counterparty and status, and the next step. */
import NextLink from "next/link";
import { useMay } from "#components/session.tsx";
import { InlineText } from "#components/ui/inline.tsx";
import { inWords } from "#components/words.ts";
import type { Contract } from "#lib/contracts/schema.ts";
import { ArchivedBanner, ContractActions } from "./contract-actions.tsx";
import { usePatch } from "./details.tsx";
import { ContractTrail } from "./neighbor-links.tsx";
import { PrimaryAct } from "./primary-act.tsx";
import { StatusMenu } from "./status-menu.tsx";

export function ContractHeader({ contract }: { contract: Contract }) {
  const may = useMay();
  const patch = usePatch(contract);
  const { title, type, counterparty } = contract;
  return (
    <header>
      <ContractTrail id={contract.id} />
      <div className="flex flex-wrap items-start gap-x-4 gap-y-3">
        <div className="min-w-0 flex-1 basis-64">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <h1 className="min-w-0 font-semibold text-xl tracking-[-0.015em]">
              <InlineText
                label="Title"
                value={title}
                disabled={!may("contracts:write")}
                onSave={(next) => patch({ title: next })}
              />
            </h1>
            <StatusMenu contract={contract} />
          </div>
          <p className="mt-0.5 text-quiet [overflow-wrap:anywhere]">
            {inWords(type)}
            {counterparty && (
              <>
                {" with "}
                <NextLink
                  prefetch={false}
                  href={`/counterparties/${counterparty.id}`}
                  className="rounded-sm font-medium text-ink underline decoration-edge underline-offset-2"
                >
                  {counterparty.name}
                </NextLink>
              </>
            )}
          </p>
        </div>
        <div className="flex flex-wrap items-center gap-2 print:hidden">
          {contract.archivedAt === null && <PrimaryAct contract={contract} />}
          <ContractActions contract={contract} />
        </div>
      </div>
      <ArchivedBanner contract={contract} />
    </header>
  );
}
