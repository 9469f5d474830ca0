"use client";
/** Where a comment is written, and whom it names: an @ offers the members. */
import { useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { MentionArea } from "./mention-area.tsx";
import { type Mentioned, mentionedIn, type Person } from "./mentions.ts";

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
