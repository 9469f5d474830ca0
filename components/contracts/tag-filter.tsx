"use client";
/** Filters the list by tags, all of which a contract must have, and by archive state. */
import { X } from "lucide-react";
import { useState } from "react";
import { Radio } from "#components/ui/choice.tsx";
import { FilterButton } from "#components/ui/filter.tsx";
import { TagPicker } from "./tag-picker.tsx";

export function TagFilter({ tags, onTags }: { tags: string[]; onTags(tags: string[]): void }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <FilterButton
      label="Tags"
      value={tags.length > 0 ? tags.join(", ") : null}
      onClear={() => onTags([])}
      open={isOpen}
      onOpenChange={setOpen}
      className="w-64"
    >
      {tags.length > 0 && (
        <ul aria-label="Chosen tags" className="grid gap-0.5 border-line border-b p-1.5">
          {tags.map((tag) => (
            <li key={tag} className="flex min-w-0 items-center gap-2 pl-2">
              <span className="min-w-0 flex-1 truncate" title={tag}>
                {tag}
              </span>
              <button
                type="button"
                aria-label={`Remove the tag ${tag}`}
                onClick={() => onTags(tags.filter((other) => other !== tag))}
                className="grid size-7 shrink-0 place-items-center rounded-md text-quiet hover:bg-hover hover:text-ink"
              >
                <X aria-hidden className="size-3.5" />
              </button>
            </li>
          ))}
        </ul>
      )}
      <TagPicker
        without={tags}
        onPick={(tag) => {
          onTags([...tags, tag]);
          setOpen(false);
        }}
      />
    </FilterButton>
  );
}

const choices = [
  { value: null, label: "Not archived" },
  { value: "true", label: "Only archived" },
  { value: "any", label: "Including archived" },
] as const;

type Archived = (typeof choices)[number]["value"];

export function ArchivedFilter({ value, onValue }: { value: Archived; onValue(value: Archived): void }) {
  const chosen = choices.find((choice) => choice.value === value);
  return (
    <FilterButton
      label="Archive"
      value={value && chosen ? chosen.label.toLowerCase() : null}
      onClear={() => onValue(null)}
      className="w-52"
    >
      <fieldset className="grid gap-0.5 p-1.5">
        <legend className="sr-only">Archived contracts</legend>
        {choices.map((choice) => (
          <Radio
            key={choice.label}
            name="archived"
            label={choice.label}
            checked={choice.value === value}
            onChange={() => onValue(choice.value)}
            className="rounded-sm px-2 py-1.5 hover:bg-hover"
          />
        ))}
      </fieldset>
    </FilterButton>
  );
}
