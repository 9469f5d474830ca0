"use client";
/** A tag to choose: one of those that the workspace has, or a new one. */
import { useState } from "react";
import { useDebounced } from "#components/debounced.ts";
import { useOperation } from "#components/query.tsx";
import { ComboboxList } from "#components/ui/combobox.tsx";
import { counted } from "#components/words.ts";

const longestTag = 40;

export interface TagPickerProps {
  /** Those that are not offered again. */
  without: readonly string[];
  onPick(tag: string): void;
  /** Whether a tag may be one that no contract has yet. */
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
      // Only archived contracts have it.
      ...(count > 0 ? { hint: counted(count, "contract") } : {}),
    }));
  // Offered beside those that there are: Enter would take the new one while the others are still on their way.
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
