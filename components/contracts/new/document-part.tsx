"use client";
import { FileText, X } from "lucide-react";
import { acceptOf, documents } from "#components/accepted-files.ts";
import { sizeText } from "#components/documents/words.ts";
import { IconButton } from "#components/ui/button.tsx";
import { FileDrop } from "#components/ui/file-drop.tsx";
import { FormError } from "#components/ui/form-error.tsx";
import type { ChosenDocument } from "./chosen-document.ts";
import { hasFindings, type ReadTerms } from "./document-terms.tsx";

/** The document of a new contract, which can also be added later, and whether anything was found in it. */
export function DocumentPart({ document, terms }: { document: ChosenDocument; terms: ReadTerms }) {
  const { file, problem, isOver, choose, refuseMore } = document;
  return (
    <div className={isOver ? "rounded-lg outline-2 outline-accent" : ""}>
      {file ? (
        <ChosenFile file={file} onRemove={() => choose(null)} />
      ) : (
        <FileDrop
          label="Drop the document here, or choose it"
          hint="A PDF or DOCX of at most 50 MB. It can also be added later."
          accept={acceptOf(documents)}
          onFile={choose}
          onOtherFiles={refuseMore}
        />
      )}
      <FormError>{problem}</FormError>
      <p role="status" className="mt-1.5 text-quiet text-xs empty:hidden">
        {terms.isReading && "The document is being read for its title, parties and dates."}
        {terms.terms &&
          hasFindings(terms.terms) &&
          "The form has what was found in the document. Check it before you create the contract."}
      </p>
    </div>
  );
}

function ChosenFile({ file, onRemove }: { file: File; onRemove(): void }) {
  return (
    <div className="flex items-center gap-3 rounded-lg border border-line px-4 py-3">
      <FileText aria-hidden className="size-5 shrink-0 text-accent" strokeWidth={1.75} />
      <p className="min-w-0 flex-1">
        <span className="block break-words font-medium">{file.name}</span>
        <span className="text-quiet text-xs">{sizeText(file.size)}, becomes version 1</span>
      </p>
      <IconButton label="Remove the document" size="sm" onClick={onRemove}>
        <X aria-hidden />
      </IconButton>
    </div>
  );
}
