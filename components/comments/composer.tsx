"use client";
/** Where a comment is written, and whom it names: an @ offers the members. */
import { clsx } from "clsx";
import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from "react";
import { useOperation } from "#components/query.tsx";
import { useMay } from "#components/session.tsx";
import { Avatar } from "#components/ui/bits.tsx";
import { Button } from "#components/ui/button.tsx";
import { Textarea } from "#components/ui/input.tsx";
import { type Mentioned, mentionAt, mentionedIn, type Person, withMention } from "./mentions.ts";

export interface ComposerProps {
  label: string;
  placeholder?: string;
  /** What the button does: "Comment", "Reply". */
  action: string;
  initial?: { text: string; mentions: Person[] };
  /** Resolves when it is saved; what was refused stays to be corrected. */
  onSave(words: Mentioned): Promise<unknown>;
  onCancel?(): void;
  autoFocus?: boolean;
  rows?: number;
  children?: ReactNode;
}

export function Composer({
  label,
  placeholder,
  action,
  initial,
  onSave,
  onCancel,
  autoFocus,
  rows = 2,
}: ComposerProps) {
  const [text, setText] = useState(initial?.text ?? "");
  const [named, setNamed] = useState<Person[]>(initial?.mentions ?? []);
  const [isSaving, setSaving] = useState(false);
  const isEmpty = text.trim() === "";
  const save = async () => {
    if (isEmpty || isSaving) return;
    setSaving(true);
    try {
      await onSave({ text, mentions: mentionedIn(text, named) });
      setText("");
      setNamed([]);
    } catch {
      // A toast has told why, and what was written is still there.
    } finally {
      setSaving(false);
    }
  };
  return (
    <form
      className="grid gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <MentionArea
        label={label}
        placeholder={placeholder}
        text={text}
        onText={setText}
        onMention={(person) => setNamed((before) => [...before, person])}
        onSend={() => void save()}
        onEscape={onCancel}
        autoFocus={autoFocus}
        rows={rows}
      />
      {(onCancel !== undefined || !isEmpty) && (
        <div className="flex justify-end gap-2">
          {onCancel && (
            <Button size="sm" onClick={onCancel}>
              Cancel
            </Button>
          )}
          <Button size="sm" type="submit" variant="primary" disabled={isEmpty} busy={isSaving}>
            {action}
          </Button>
        </div>
      )}
    </form>
  );
}

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

/** A text in which `@` and the beginning of a name lists the members that it may mean. */
function MentionArea({
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
  const begun = mentionAt(text, caret);
  const offered = useOffered(begun?.name ?? null);
  const isOpen = begun !== null && begun.start !== closedAt && offered.length > 0;
  const at = Math.min(chosen, offered.length - 1);
  const take = (person: Person) => {
    if (!begun) return;
    const next = withMention(text, begun, person);
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
      // What lies around, such as a dialog, stays.
      event.stopPropagation();
      if (isOpen) setClosedAt(begun.start);
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
        onBlur={() => setClosedAt(begun?.start ?? null)}
        onKeyDown={onKeyDown}
      />
      {isOpen && <Offered id={listId} people={offered} at={at} onTake={take} />}
    </div>
  );
}

/** The members whose name, or a word of it, begins so. */
function useOffered(name: string | null): Person[] {
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

function Offered({
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
        // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard stays in the text, which has its keys.
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
