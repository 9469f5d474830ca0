"use client";
/** A form for writing a comment. Typing @ offers members to mention. */
import { useEffect, useRef, useState } from "react";
import { useMounted } from "#components/mounted.ts";
import { readStored, writeStored } from "#components/tab-storage.ts";
import { Button } from "#components/ui/button.tsx";
import { MentionArea } from "./mention-area.tsx";
import { type Mentioned, mentionedIn, type Person } from "./mentions.ts";

interface Draft {
  text: string;
  mentions: Person[];
}

export interface ComposerProps {
  label: string;
  placeholder?: string;
  /** The button's label, such as "Comment" or "Reply". */
  action: string;
  initial?: Draft;
  /**
   * The key of the draft in the tab's storage, where it stays until it is sent or discarded: someone else may
   * close the thread meanwhile.
   */
  draftKey?: string;
  /** Saves the comment. If it rejects, the text stays in the form to be corrected. */
  onSave(words: Mentioned): Promise<unknown>;
  /** Called once all text is saved. Text typed while the comment was being sent stays in the form. */
  onDone?(): void;
  onCancel?(): void;
  autoFocus?: boolean;
  rows?: number;
}

export function Composer({
  label,
  placeholder,
  action,
  initial,
  draftKey,
  onSave,
  onDone,
  onCancel,
  autoFocus,
  rows = 2,
}: ComposerProps) {
  const kept = () => (draftKey ? readStored<Draft>(draftKey) : null);
  const [begun] = useState(() => kept() ?? initial);
  const [text, setText] = useState(begun?.text ?? "");
  const latest = useRef(text);
  const write = (next: string) => {
    latest.current = next;
    setText(next);
  };
  const [named, setNamed] = useState<Person[]>(begun?.mentions ?? []);
  const [isSaving, setSaving] = useState(false);
  const isEmpty = text.trim() === "";
  const isDraft = !isEmpty && text !== initial?.text;
  const isMounted = useMounted();
  const keep = (draft: Draft | null) => draftKey && writeStored(draftKey, draft);
  useEffect(() => {
    if (draftKey) writeStored(draftKey, isDraft ? { text, mentions: named } : null);
  }, [draftKey, isDraft, text, named]);
  const save = async () => {
    if (isEmpty || isSaving) return;
    setSaving(true);
    try {
      await onSave({ text, mentions: mentionedIn(text, named) });
      const now = latest.current;
      const left = initial && now !== text ? now : typedSince(text, now);
      // If the form was closed meanwhile, another draft may have been started under the same key.
      if (isMounted.current || kept()?.text === text)
        keep(left === "" ? null : { text: left, mentions: named });
      write(left);
      if (left !== "") return;
      setNamed([]);
      if (isMounted.current) onDone?.();
    } catch {
      // A toast has said why, and the text is still in the form.
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
        onText={write}
        onMention={(person) => setNamed((before) => [...before, person])}
        onSend={() => void save()}
        onEscape={onCancel}
        autoFocus={autoFocus}
        rows={rows}
      />
      {(onCancel !== undefined || !isEmpty) && (
        <div className="flex justify-end gap-2">
          {onCancel && (
            <Button
              size="sm"
              onClick={() => {
                keep(null);
                onCancel();
              }}
            >
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

/** Returns what was typed after the text that was sent. */
const typedSince = (sent: string, now: string): string =>
  (now.startsWith(sent) ? now.slice(sent.length) : now).trimStart();
