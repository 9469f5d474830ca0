"use client";
/** Actions on several contracts at once. */
import { Archive, ArchiveRestore, ChevronUp, Tag, TagX } from "lucide-react";
import { useState } from "react";
import { useAct } from "#components/query.tsx";
import { SelectionBar } from "#components/selection.tsx";
import { Button } from "#components/ui/button.tsx";
import { ConfirmDialog } from "#components/ui/confirm-dialog.tsx";
import { Menu, MenuItem, MenuLabel } from "#components/ui/menu.tsx";
import { useToast } from "#components/ui/toast.tsx";
import { counted, inWords } from "#components/words.ts";
import { type ContractStatus, contractLifecycle, contractStatuses } from "#lib/contracts/lifecycle.ts";
import type { Contract } from "#lib/contracts/schema.ts";
import { canMove } from "#lib/core/lifecycle.ts";
import { useArchive } from "./archive.ts";
import { BulkTags } from "./bulk-tags.tsx";
import { invalidatedByMove } from "./move.ts";

export function BulkBar({ contracts, onClear }: { contracts: Contract[]; onClear(): void }) {
  const [next, setNext] = useState<ContractStatus | null>(null);
  const [tagging, setTagging] = useState<"add" | "remove" | null>(null);
  const archive = useArchive();
  const put = (archived: boolean) =>
    void archive(contracts, archived)
      .then(onClear)
      .catch(() => undefined);
  const { moveAll } = useBulkMove(onClear);
  const able = (to: ContractStatus) =>
    contracts.filter(({ status }) => canMove(contractLifecycle, status, to));
  const targets = contractStatuses.filter((to) => able(to).length > 0);
  const movable = next ? able(next) : [];
  const left = contracts.length - movable.length;
  return (
    <SelectionBar
      label="Selected contracts"
      count={contracts.length}
      onClear={onClear}
      dialogs={
        <>
          {next && (
            <ConfirmDialog
              open
              onOpenChange={(open) => !open && setNext(null)}
              title={`Move ${counted(movable.length, "contract")} to ${inWords(next).toLowerCase()}?`}
              description={
                left > 0
                  ? `${counted(left, "other")} cannot become ${inWords(next).toLowerCase()} from ${left === 1 ? "its current status, and stays" : "their current status, and stay"} unchanged.`
                  : undefined
              }
              action={`Move to ${inWords(next).toLowerCase()}`}
              danger={next === "TERMINATED" || next === "CANCELLED"}
              onConfirm={() => moveAll(movable, next)}
            />
          )}
          {tagging && (
            <BulkTags
              contracts={contracts}
              what={tagging}
              onClose={() => setTagging(null)}
              onDone={onClear}
            />
          )}
        </>
      }
    >
      <Menu
        label="Move to"
        trigger={
          <Button variant="primary" className="ml-2">
            Change status
            <ChevronUp aria-hidden />
          </Button>
        }
      >
        <MenuLabel>Move to</MenuLabel>
        {targets.map((to) => {
          const count = able(to).length;
          return (
            <MenuItem
              key={to}
              onSelect={() => setNext(to)}
              hint={count < contracts.length ? `${count} of ${contracts.length} can` : undefined}
            >
              {inWords(to)}
            </MenuItem>
          );
        })}
        {targets.length === 0 && (
          <MenuItem disabledReason="None of these can be moved manually.">No status</MenuItem>
        )}
      </Menu>
      <Menu
        label="More"
        trigger={
          <Button>
            More
            <ChevronUp aria-hidden />
          </Button>
        }
      >
        <MenuItem icon={<Tag aria-hidden />} onSelect={() => setTagging("add")}>
          Add a tag
        </MenuItem>
        <MenuItem
          icon={<TagX aria-hidden />}
          disabledReason={contracts.some(({ tags }) => tags.length > 0) ? null : "None of these has a tag."}
          onSelect={() => setTagging("remove")}
        >
          Remove a tag
        </MenuItem>
        {contracts.some(({ archivedAt }) => archivedAt === null) && (
          <MenuItem icon={<Archive aria-hidden />} onSelect={() => put(true)}>
            Archive
          </MenuItem>
        )}
        {contracts.some(({ archivedAt }) => archivedAt !== null) && (
          <MenuItem icon={<ArchiveRestore aria-hidden />} onSelect={() => put(false)}>
            Unarchive
          </MenuItem>
        )}
      </Menu>
    </SelectionBar>
  );
}

function useBulkMove(onDone: () => void) {
  const toast = useToast();
  const move = useAct("contracts.setStatusOfMany", { invalidates: invalidatedByMove });
  const moveAll = async (contracts: Contract[], next: ContractStatus) => {
    const { results } = await move.run({ ids: contracts.map(({ id }) => id), next });
    const refused = results.filter(({ ok }) => !ok);
    const moved = results.length - refused.length;
    if (moved > 0) toast({ title: `${counted(moved, "contract")} moved to ${inWords(next).toLowerCase()}` });
    if (refused.length > 0) {
      const titles = new Map(contracts.map(({ id, title }) => [id, title]));
      const detail = refused.slice(0, 3).map(({ id, message }) => `${titles.get(id)}: ${message}`);
      toast({
        tone: "failed",
        title: `${counted(refused.length, "contract")} not moved`,
        detail: detail.join(" "),
      });
    }
    onDone();
  };
  return { moveAll };
}
