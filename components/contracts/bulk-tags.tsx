"use client";
/** Adds a tag to the selected contracts, or removes one. */
import { useAct } from "#components/query.tsx";
import { ComboboxList } from "#components/ui/combobox.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import { counted } from "#components/words.ts";
import type { Contract } from "#lib/contracts/schema.ts";
import { useBulkToast } from "./many.ts";
import { TagPicker } from "./tag-picker.tsx";

export interface BulkTagsProps {
  contracts: Contract[];
  what: "add" | "remove";
  onClose(): void;
  onDone(): void;
}

export function BulkTags({ contracts, what, onClose, onDone }: BulkTagsProps) {
  const showOutcome = useBulkToast();
  const { run } = useAct("contracts.tagMany", {
    invalidates: ["contracts", "counterparties", "auditEvents"],
  });
  const tag = async (name: string) => {
    const ids = contracts.map(({ id }) => id);
    const { results } = await run({ ids, [what]: [name] });
    const back = what === "add" ? "remove" : "add";
    const done = what === "add" ? `tagged “${name}”` : `no longer tagged “${name}”`;
    showOutcome({ contracts, results, done, undo: (changed) => run({ ids: changed, [back]: [name] }) });
    onDone();
  };
  const onPick = (name: string) => {
    onClose();
    void tag(name).catch(() => undefined);
  };
  const number = counted(contracts.length, "contract");
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={what === "add" ? `Add a tag to ${number}` : `Remove a tag from ${number}`}
    >
      <div className="min-h-0 border-line border-t max-sm:pb-[max(0.75rem,env(safe-area-inset-bottom))]">
        {what === "add" ? (
          <TagPicker without={[]} mayBeNew onPick={onPick} />
        ) : (
          <ComboboxList
            what="tag"
            value={null}
            options={tagsOf(contracts)}
            onChoose={(name) => name && onPick(name)}
          />
        )}
      </div>
    </Dialog>
  );
}

/** Returns the tags of these contracts as options, each with the number of contracts that have it. */
function tagsOf(contracts: Contract[]) {
  const byKey = Map.groupBy(
    contracts.flatMap(({ tags }) => tags),
    (tag) => tag.toLowerCase(),
  );
  return [...byKey.values()]
    .map((same) => ({ value: same[0]!, label: same[0]!, hint: counted(same.length, "contract") }))
    .sort((a, b) => a.label.localeCompare(b.label));
}
