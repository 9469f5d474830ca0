"use client";
/** Picks a tag: one of the workspace's, or a new one. */
import { useState } from "react";
import { useDebounced } from "#components/debounced.ts";
import { useOperation } from "#components/query.tsx";
import { ComboboxList } from "#components/ui/combobox.tsx";
import { counted } from "#components/words.ts";

const longestTag = 40;

export interface TagPickerProps {
  /** Tags that are not offered. */
  without: readonly string[];
  onPick(tag: string): void;
  /** Whether a tag that no contract has yet can be added. */
  mayBeNew?: boolean;
}

export function TagPicker({ without, onPick, mayBeNew }: TagPickerProps) {
  const [typed, setTyped] = useState("");
  const q = useDebounced(typed.trim().slice(0, longestTag), 120);
  const { data, isPrevious } = useOperation("contracts.tags", { q }, { keepPrevious: true });
  const known = new Set(without.map((tag) => tag.toLowerCase()));
  const options = (data?.data ?? [])
    .filter(({ tag }) => !known.has(tag.toLowerCase()))
    .map(({ tag, count }) => ({
      ...{ value: tag, label: tag },
      // 0: only archived contracts have it.
      ...(count > 0 ? { hint: counted(count, "contract") } : {}),
    }));
  // Offer a new tag only once the existing ones have loaded: otherwise, Enter would add it before they
  // appear.
  const isAnswered = data !== undefined && !isPrevious && q === typed.trim().slice(0, longestTag);
  const isAddable =
    mayBeNew && isAnswered && typed.trim().length <= longestTag && !known.has(typed.trim().toLowerCase());
  return (
    <>
      <ComboboxList
        what="tag"
        value={null}
        options={options}
        onChoose={(tag) => tag && onPick(tag)}
        onSearch={setTyped}
        onCreate={isAddable ? onPick : undefined}
      />
      {mayBeNew && typed.trim().length > longestTag && (
        <p className="px-3 pb-2 text-danger text-xs">A tag has at most {longestTag} characters.</p>
      )}
    </>
  );
}
