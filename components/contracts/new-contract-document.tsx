"use client";
import { FileText, X } from "lucide-react";
import { acceptOf, documents } from "#components/accepted-files.ts";
import { sizeText } from "#components/documents/words.ts";
import { IconButton } from "#components/ui/button.tsx";
import { FileDrop } from "#components/ui/file-drop.tsx";

/** The document that a new contract begins with; it can come later too. */
export function NewContractDocument({
  file,
  onFile,
  onMore,
}: {
  file: File | null;
  onFile(file: File | null): void;
  /** What else was dropped with it. */
  onMore(files: File[]): void;
}) {
  if (!file) {
    return (
      <FileDrop
        label="Drop the document here, or choose it"
        hint="A PDF or DOCX of at most 50 MB. It can also be added later."
        accept={acceptOf(documents)}
        onFile={onFile}
        onMore={onMore}
      />
    );
  }
  return (
    <div className="flex items-center gap-3 rounded-lg border border-line px-4 py-3">
      <FileText aria-hidden className="size-5 shrink-0 text-accent" strokeWidth={1.75} />
      <p className="min-w-0 flex-1">
        <span className="block break-words font-medium">{file.name}</span>
        <span className="text-quiet text-xs">{sizeText(file.size)}, becomes version 1</span>
      </p>
      <IconButton label="Remove the document" size="sm" onClick={() => onFile(null)}>
        <X aria-hidden />
      </IconButton>
    </div>
  );
}
