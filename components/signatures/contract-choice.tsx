"use client";
/** Starts a signature request from anywhere: selects its contract. */
import { useState } from "react";
import { useDebounced } from "#components/debounced.ts";
import { useOperation } from "#components/query.tsx";
import { useMay } from "#components/session.tsx";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { Dialog, DialogBody } from "#components/ui/dialog.tsx";
import { SearchInput } from "#components/ui/input.tsx";
import { NameLink } from "#components/ui/link.tsx";
import { ErrorState, SkeletonRows } from "#components/ui/states.tsx";
import { inWords } from "#components/words.ts";
import { contractLifecycle, contractStatuses } from "#lib/contracts/lifecycle.ts";
import { canMove } from "#lib/core/lifecycle.ts";

/** The statuses in which a contract can be sent for signature. */
const sendable = contractStatuses.filter((status) =>
  canMove(contractLifecycle, status, "OUT_FOR_SIGNATURE", "system"),
);

const maxShown = 8;

export function ContractChoice({ onClose }: { onClose(): void }) {
  const may = useMay();
  const [search, setSearch] = useState("");
  const q = useDebounced(search.trim(), 150);
  const { data, error, refetch } = useOperation(
    "contracts.list",
    { status: sendable, ...(q ? { q } : {}) },
    { keepPrevious: true },
  );
  const shown = data?.data.slice(0, maxShown) ?? [];
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="New signature request"
      description="Choose the contract whose document is to be signed."
      size="md"
    >
      <DialogBody className="grid content-start gap-3">
        <SearchInput
          label="Search contracts"
          placeholder="Contract or counterparty"
          value={search}
          onValue={setSearch}
          autoFocus
        />
        {error && !data ? (
          <ErrorState message={error.message} requestId={error.requestId} onRetry={refetch} />
        ) : !data ? (
          <SkeletonRows label="Loading contracts" rows={5} />
        ) : shown.length === 0 ? (
          <p className="py-4 text-quiet">
            {q
              ? "No contract that can be sent matches the search."
              : "There is no contract that can be sent yet."}
          </p>
        ) : (
          <ul className="divide-y divide-line rounded-lg border border-line">
            {shown.map(({ id, title, status, counterparty }) => (
              <li key={id} className="relative px-4 py-2.5 hover:bg-well">
                <NameLink
                  href={`/contracts/${id}/send`}
                  className="block [overflow-wrap:anywhere] after:absolute after:inset-0"
                >
                  {title}
                </NameLink>
                <span className="block text-quiet text-xs [overflow-wrap:anywhere]">
                  {counterparty ? `${counterparty.name} · ` : ""}
                  {inWords(status)}
                </span>
              </li>
            ))}
          </ul>
        )}
        {data && data.total > shown.length && (
          <p className="text-faint text-xs">{data.total - shown.length} more: type to find them.</p>
        )}
        {may("contracts:write") && (
          <p className="text-quiet">
            Is it not here yet?{" "}
            <ButtonLink size="sm" href="/contracts/new" className="ml-1">
              New contract
            </ButtonLink>
          </p>
        )}
      </DialogBody>
    </Dialog>
  );
}
