"use client";
/** Uploads a DOCX with tags as a new template, or as the document of an existing one. */
import { useEffect } from "react";
import { acceptOf, templateDocuments } from "#components/accepted-files.ts";
import { useGuardedNavigation } from "#components/mounted.ts";
import { Dialog, DialogBody } from "#components/ui/dialog.tsx";
import { FileDrop } from "#components/ui/file-drop.tsx";
import { useToast } from "#components/ui/toast.tsx";
import { UploadStatus, useUpload } from "#components/upload.tsx";
import { counted } from "#components/words.ts";
import type { OutputOf } from "#lib/doors/client.ts";

export interface UploadDialogProps {
  /** A file that has already been dropped, uploaded at once. */
  first?: File | null;
  /** The template whose document is replaced; without it, a new one is created. */
  replaces?: { id: string; revision: number };
  onClose(): void;
}

export function UploadDialog({ first = null, replaces, onClose }: UploadDialogProps) {
  const leadTo = useGuardedNavigation();
  const toast = useToast();
  const taken = ({ template: { id, name, variables, sections } }: OutputOf<"templates.upload">) => {
    const found = `${counted(variables.length, "value")} and ${counted(sections.length, "clause")} found in it.`;
    toast({ title: replaces ? "Document replaced" : `Template “${name}” created`, detail: found });
    onClose();
    if (!replaces) leadTo(`/templates/${id}/edit`);
  };
  const how = { invalidates: ["templates"], accepts: templateDocuments, onSent: taken } as const;
  const create = useUpload("templates.upload", how);
  const replace = useUpload("templates.replaceDocument", how);
  const upload = replaces ? replace : create;
  const take = (file: File) => void (replaces ? replace.send(file, replaces) : create.send(file, {}));
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, for the file that opened the dialog.
  useEffect(() => {
    if (first) take(first);
  }, []);
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (open) return;
        upload.cancel();
        onClose();
      }}
      title={replaces ? "Replace the document" : "New template"}
      description={
        replaces
          ? "The settings of tags that remain are kept. Contracts created before keep theirs."
          : "From a Word document with tags in it."
      }
      size="md"
    >
      <DialogBody className="grid gap-4">
        {upload.state.kind !== "sending" && (
          <FileDrop
            label="Drop a DOCX here, or choose one"
            hint="Of at most 10 MB."
            accept={acceptOf(templateDocuments)}
            onFile={take}
          />
        )}
        <UploadStatus upload={upload} />
        <TagHelp />
      </DialogBody>
    </Dialog>
  );
}

const tags = [
  ["{governing_law}", "a value that whoever uses the template fills in"],
  ["{counterparty.name}", "what the workspace knows: the counterparty, the dates, the owner"],
  ["{#insurance} … {/insurance}", "a clause that can be switched on and off"],
  ["{{signature:1}}, {{date:1}}", "places for the first signer's signature and date"],
];

function TagHelp() {
  return (
    <div className="rounded-md bg-well px-4 py-3">
      <p className="font-medium">Tags, written in the document itself</p>
      <dl className="mt-1.5 grid gap-1.5">
        {tags.map(([tag, what]) => (
          <div key={tag} className="grid gap-x-3 sm:grid-cols-[12.5rem_1fr]">
            <dt className="font-mono text-xs">{tag}</dt>
            <dd className="text-quiet text-xs">{what}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
