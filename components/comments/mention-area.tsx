"use client";
/**
 * A text area in which typing `@` and the beginning of a name lists matching members to choose by keyboard.
 */
import { clsx } from "clsx";
import { type KeyboardEvent, useId, useRef, useState } from "react";
import { useOperation } from "#components/query.tsx";
import { useMay } from "#components/session.tsx";
import { Avatar } from "#components/ui/bits.tsx";
import { isOfComposition } from "#components/ui/composition.ts";
import { Textarea } from "#components/ui/input.tsx";
import { mentionAt, type Person, withMention } from "./mentions.ts";

interface MentionAreaProps {
  label: string;
  placeholder?: string | undefined;
  text: string;
  onText(text: string): void;
  onMention(person: Person): void;
  onSend(): void;
  onEscape?: (() => void) | undefined;
  autoFocus?: boolean | undefined;
  rows: number;
}

export function MentionArea({
  label,
  placeholder,
  text,
  onText,
  onMention,
  onSend,
  onEscape,
  autoFocus,
  rows,
}: MentionAreaProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  const listId = useId();
  const [caret, setCaret] = useState(0);
  const [chosen, setChosen] = useState(0);
  const [closedAt, setClosedAt] = useState<number | null>(null);
  const typedMention = mentionAt(text, caret);
  const offered = useSuggestions(typedMention?.name ?? null);
  const isOpen = typedMention !== null && typedMention.start !== closedAt && offered.length > 0;
  const at = Math.min(chosen, offered.length - 1);
  const take = (person: Person) => {
    if (!typedMention) return;
    const next = withMention(text, typedMention, person);
    onText(next.text);
    onMention(person);
    setCaret(next.caret);
    setChosen(0);
    requestAnimationFrame(() => {
      area.current?.focus();
      area.current?.setSelectionRange(next.caret, next.caret);
    });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (isOfComposition(event)) return;
    if (isOpen) {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (step) {
        event.preventDefault();
        setChosen((at + step + offered.length) % offered.length);
        return;
      }
      const person = offered[at];
      if ((event.key === "Enter" || event.key === "Tab") && person) {
        event.preventDefault();
        take(person);
        return;
      }
    }
    if (event.key === "Escape" && (isOpen || onEscape)) {
      // Do not close what surrounds the text area, such as a dialog.
      event.stopPropagation();
      if (isOpen) setClosedAt(typedMention.start);
      else onEscape?.();
    }
    if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) onSend();
  };
  return (
    <div className="relative">
      <Textarea
        ref={area}
        aria-label={label}
        placeholder={placeholder}
        value={text}
        rows={rows}
        maxLength={5000}
        autoFocus={autoFocus}
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={isOpen}
        aria-controls={isOpen ? listId : undefined}
        aria-activedescendant={isOpen ? `${listId}-${at}` : undefined}
        onChange={({ target }) => {
          onText(target.value);
          setCaret(target.selectionStart);
          setClosedAt(null);
        }}
        onSelect={({ currentTarget }) => setCaret(currentTarget.selectionStart)}
        onBlur={() => setClosedAt(typedMention?.start ?? null)}
        onKeyDown={onKeyDown}
      />
      {isOpen && <Suggestions id={listId} people={offered} at={at} onTake={take} />}
    </div>
  );
}

/** Returns up to six members whose name, or a word of it, begins with what was typed. */
function useSuggestions(name: string | null): Person[] {
  const may = useMay();
  const isAsked = name !== null && may("members:read");
  const { data } = useOperation("members.list", {}, { enabled: isAsked });
  if (name === null) return [];
  const wanted = name.toLowerCase();
  const begins = (full: string) => ` ${full.toLowerCase()}`.includes(` ${wanted}`);
  return (data?.data ?? [])
    .filter((member) => begins(member.name))
    .slice(0, 6)
    .map(({ userId, name: full }) => ({ id: userId, name: full }));
}

function Suggestions({
  id,
  people,
  at,
  onTake,
}: {
  id: string;
  people: Person[];
  at: number;
  onTake(person: Person): void;
}) {
  return (
    <div
      id={id}
      role="listbox"
      aria-label="Members"
      className="absolute inset-x-0 top-full z-20 mt-1 max-h-56 overflow-y-auto rounded-lg bg-raised p-1 shadow-high"
    >
      {people.map((person, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the focus stays in the text area, which handles the keys.
        <div
          key={person.id}
          id={`${id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === at}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onTake(person)}
          className={clsx(
            "flex min-h-8 items-center gap-2 rounded-sm px-2 py-1",
            index === at ? "bg-hover" : "hover:bg-hover",
          )}
        >
          <Avatar name={person.name} size="sm" />
          <span className="min-w-0 truncate">{person.name}</span>
        </div>
      ))}
    </div>
  );
}
