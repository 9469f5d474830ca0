"use client";
/** Adds a comment on a passage of a version, either selected or entered by hand. */
import { useRef, useState } from "react";
import { useAct } from "#components/query.tsx";
import { Dialog, DialogBody } from "#components/ui/dialog.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input, Textarea } from "#components/ui/input.tsx";
import { useToast } from "#components/ui/toast.tsx";
import { Composer } from "./composer.tsx";
import type { Passage } from "./passage.ts";
import { invalidatedByComment } from "./thread.tsx";

export interface PassageDialogProps {
  contractId: string;
  versionId: string;
  /** The page in view. */
  page: number;
  selected: Passage | null;
  pageCount: number;
  onClose(): void;
}

export function PassageDialog({
  contractId,
  versionId,
  page,
  selected,
  pageCount,
  onClose,
}: PassageDialogProps) {
  const toast = useToast();
  const isEntered = useRef(false);
  const [quote, setQuote] = useState(selected?.quote ?? "");
  const [at, setAt] = useState(`${selected?.page ?? page}`);
  const [wrong, setWrong] = useState<{ quote?: string; page?: string }>({});
  const add = useAct("comments.add", { invalidates: invalidatedByComment });
  const save = async ({ text, mentions }: { text: string; mentions: string[] }) => {
    const number = Number(at);
    const isPage = Number.isInteger(number) && number >= 1 && number <= pageCount;
    const issues = {
      ...(quote.trim() ? {} : { quote: "Select or type the passage you are commenting on." }),
      ...(isPage ? {} : { page: `Enter a page from 1 to ${pageCount}.` }),
    };
    setWrong(issues);
    if (Object.keys(issues).length > 0) throw new Error("incomplete");
    await add.run({ id: contractId, text, mentions, passage: { versionId, page: number, quote } });
    toast({ title: "Comment added", detail: "It is on the contract's page." });
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      staysOpen={() => isEntered.current}
      title="Comment on a passage"
      size="md"
    >
      <DialogBody
        className="grid gap-4"
        onInput={() => {
          isEntered.current = true;
        }}
      >
        <Field label="Passage" required {...(wrong.quote ? { error: wrong.quote } : {})}>
          <Textarea
            rows={3}
            maxLength={1000}
            value={quote}
            placeholder="Select words in the document, or type them here"
            onChange={({ target }) => setQuote(target.value)}
          />
        </Field>
        <Field label="Page" required {...(wrong.page ? { error: wrong.page } : {})}>
          <Input
            inputMode="numeric"
            className="w-24"
            value={at}
            onChange={({ target }) => setAt(target.value)}
          />
        </Field>
        <Composer
          label="Your comment"
          action="Comment"
          rows={3}
          autoFocus
          onSave={save}
          onDone={onClose}
          onCancel={onClose}
        />
      </DialogBody>
    </Dialog>
  );
}
