import type { ReactNode } from "react";
import type { Check, Entries, Entry } from "./filling.ts";
import type { TemplateDetail } from "./templates-page.tsx";

/** The props of each part of the form. */
export interface FormPart {
  template: TemplateDetail;
  all: Entries;
  setEntry(entry: Entry): void;
  /** Undefined until the server has responded. */
  check: Check | undefined;
  errorOf(path: string): string | undefined;
}

export function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className="min-w-0">
      <legend className="mb-3 font-semibold text-base">{title}</legend>
      <div className="grid gap-4 sm:grid-cols-2">{children}</div>
    </fieldset>
  );
}
