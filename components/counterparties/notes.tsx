"use client";
import { useEffect, useRef, useState } from "react";
import { useAct } from "#components/query.tsx";
import { useMay } from "#components/session.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card, Section } from "#components/ui/card.tsx";
import { Field } from "#components/ui/field.tsx";
import { Textarea } from "#components/ui/input.tsx";
import { useToast } from "#components/ui/toast.tsx";

/** The workspace's notes about a counterparty. */
export function Notes({ counterpartyId, notes }: { counterpartyId: string; notes: string | null }) {
  const may = useMay();
  const toast = useToast();
  const [draft, setDraft] = useState<string | null>(null);
  const save = useAct("counterparties.setNotes", { invalidates: ["counterparties"] });
  const submit = async () => {
    await save.run({ id: counterpartyId, notes: draft }).then(
      () => {
        // Stay in edit mode if the text was changed while it was being saved.
        setDraft((now) => (now === draft ? null : now));
        toast({ title: "Notes saved" });
      },
      () => undefined,
    );
  };
  const edit = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(false);
  useEffect(() => {
    // When the editor is closed, move the focus to the button that opens it.
    if (wasOpen.current && draft === null && document.activeElement === document.body) edit.current?.focus();
    wasOpen.current = draft !== null;
  }, [draft]);
  const mayWrite = may("counterparties:write");
  return (
    <Section
      title="Notes"
      actions={
        mayWrite &&
        draft === null && (
          <Button ref={edit} size="sm" busy={save.isRunning} onClick={() => setDraft(notes ?? "")}>
            {notes ? "Edit" : "Write"}
          </Button>
        )
      }
    >
      <Card className="p-4">
        {draft === null ? (
          <p className="whitespace-pre-wrap break-words">
            {notes ?? <span className="text-faint">No notes yet.</span>}
          </p>
        ) : (
          <div className="grid gap-3">
            <Field label="Notes" labelHidden>
              <Textarea
                autoFocus
                rows={8}
                maxLength={20_000}
                value={draft}
                onChange={(event) => setDraft(event.target.value)}
              />
            </Field>
            <div className="flex justify-end gap-2">
              <Button onClick={() => setDraft(null)}>Cancel</Button>
              <Button variant="primary" busy={save.isRunning} onClick={submit}>
                Save
              </Button>
            </div>
          </div>
        )}
      </Card>
    </Section>
  );
}
