"use client";
/** A contract's tags; each links to all contracts that have it. */
import { Plus, X } from "lucide-react";
import NextLink from "next/link";
import { useRef, useState } from "react";
import { useAct } from "#components/query.tsx";
import { useMay } from "#components/session.tsx";
import { lazily } from "#components/ui/lazily.tsx";
import { Popover } from "#components/ui/popover.tsx";
import { SkeletonRows } from "#components/ui/states.tsx";
import { useToast } from "#components/ui/toast.tsx";
import type { Contract } from "#lib/contracts/schema.ts";
import { maxTags } from "#lib/contracts/tags/catalogue.ts";

const TagPicker = lazily(() => import("./tag-picker.tsx").then((module) => module.TagPicker), {
  loading: () => <SkeletonRows rows={2} label="Loading the tags" />,
});

/** Adds and removes single tags, so that concurrent changes by two members both take effect. */
function useTagging({ id }: Contract) {
  const toast = useToast();
  const { run } = useAct("contracts.tagMany", {
    invalidates: ["contracts", "counterparties", "auditEvents"],
    optimistic: ({ add = [], remove = [] }, memory) =>
      memory.updateAll("contracts.read", (answer) => {
        if (answer.contract.id !== id) return answer;
        const kept = answer.contract.tags.filter((tag) => !remove.includes(tag));
        return { contract: { ...answer.contract, tags: [...kept, ...add] } };
      }),
  });
  return (change: { add?: string[]; remove?: string[] }) =>
    void run({ ids: [id], ...change })
      .then(({ results: [result] }) => {
        if (result?.message)
          toast({ tone: "failed", title: "The tags were not changed", detail: result.message });
      })
      .catch(() => undefined);
}

export function Tags({ contract }: { contract: Contract }) {
  const may = useMay();
  const change = useTagging(contract);
  const [isOpen, setOpen] = useState(false);
  const adding = useRef<HTMLButtonElement>(null);
  const { tags } = contract;
  const mayChange = may("contracts:write");
  if (!mayChange && tags.length === 0) return <span className="text-faint">–</span>;
  return (
    <ul className="flex min-w-0 flex-wrap items-center gap-1.5 py-1">
      {tags.map((tag) => (
        <li
          key={tag}
          className="flex min-w-0 max-w-full items-center rounded-full bg-tone-neutral text-on-neutral text-xs"
        >
          <NextLink
            prefetch={false}
            href={`/contracts?${new URLSearchParams({ tag })}`}
            title={`Contracts tagged ${tag}`}
            className="min-w-0 truncate rounded-full px-2 py-1 font-medium hover:underline"
          >
            {tag}
          </NextLink>
          {mayChange && (
            <button
              type="button"
              aria-label={`Remove the tag ${tag}`}
              onClick={() => {
                change({ remove: [tag] });
                adding.current?.focus();
              }}
              className="-ml-1 grid size-6 shrink-0 place-items-center rounded-full hover:bg-hover"
            >
              <X aria-hidden className="size-3" />
            </button>
          )}
        </li>
      ))}
      {mayChange && (
        <li>
          <Popover
            label="Add a tag"
            open={isOpen}
            onOpenChange={setOpen}
            className="w-64"
            trigger={
              <button
                ref={adding}
                type="button"
                disabled={tags.length >= maxTags}
                title={tags.length >= maxTags ? `A contract can have at most ${maxTags} tags.` : undefined}
                className="flex h-6 items-center gap-1 rounded-full border border-edge border-dashed px-2 text-quiet text-xs hover:bg-hover hover:text-ink disabled:opacity-50"
              >
                <Plus aria-hidden className="size-3" />
                Add a tag
              </button>
            }
          >
            <TagPicker
              without={tags}
              mayBeNew
              onPick={(tag) => {
                change({ add: [tag] });
                setOpen(false);
              }}
            />
          </Popover>
        </li>
      )}
    </ul>
  );
}
