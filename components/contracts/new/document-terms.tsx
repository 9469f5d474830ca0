"use client";
/** Fills the form's empty fields with the terms found in the chosen PDF; each field shows its quote. */
import { useRef, useState } from "react";
import type { UseFormReturn } from "react-hook-form";
import type { z } from "zod";
import { DocumentQuote } from "#components/documents/quote.tsx";
import { titleFrom } from "#components/documents/words.ts";
import { useAct, useOperation } from "#components/query.tsx";
import { useMay, useSession } from "#components/session.tsx";
import { Button } from "#components/ui/button.tsx";
import { useUpload } from "#components/upload.tsx";
import type { OutputOf } from "#lib/doors/client.ts";
import type { ContractForm } from "./contract-form.ts";

type Values = z.input<ContractForm>;
type Form = UseFormReturn<Values, unknown, z.output<ContractForm>>;
export type DocumentTerms = OutputOf<"proposals.ofDocument">;
type Quoted = { quote: string; page: number };

/** Larger files are not read. They are mostly scans, whose text is not worth uploading them twice. */
const maxBytes = 20 * 1024 * 1024;

export function useDocumentTerms(form: Form) {
  const upload = useUpload("proposals.ofDocument", { invalidates: [] });
  const [terms, setTerms] = useState<DocumentTerms | null>(null);
  /** The latest file, which may have been replaced by the time the response arrives. */
  const current = useRef<File | null>(null);
  const filled = useRef<Filled[]>([]);
  const read = async (file: File | null) => {
    // Values from another document would appear next to quotes of this one.
    undoFill(form, filled.current, current.current);
    filled.current = [];
    current.current = file;
    setTerms(null);
    upload.cancel();
    if (!file || !/\.pdf$/i.test(file.name) || file.size > maxBytes) return;
    const found = await upload.send(file, {});
    if (!found || current.current !== file) return;
    setTerms(found);
    filled.current = fill(form, found, file);
  };
  return { terms, read, isReading: upload.state.kind === "sending" };
}

export type ReadTerms = ReturnType<typeof useDocumentTerms>;

/** A field that was filled from the document, and its previous value. */
interface Filled {
  name: keyof Values;
  value: string | boolean;
  before: string | boolean;
}

/** Restores the fields' previous values, except where someone has changed the document's value. */
function undoFill(form: Form, filled: Filled[], file: File | null): void {
  for (const { name, value, before } of filled) {
    if (form.getValues(name) === value) form.setValue(name, before, { shouldDirty: true });
  }
  if (file && form.getValues("title").trim() === titleFrom(file.name)) {
    form.setValue("title", "", { shouldDirty: true });
  }
}

/** Fills only empty fields, so that nothing typed is lost. A title from the file's name counts as empty. */
function fill(
  form: Form,
  { title, type, effectiveDate, termMonths, renewal }: DocumentTerms,
  file: File,
): Filled[] {
  const filled: Filled[] = [];
  const fillField = (name: keyof Values, value: string | boolean, isEmpty: boolean) => {
    if (!isEmpty) return;
    filled.push({ name, value, before: typeof value === "boolean" ? false : "" });
    form.setValue(name, value, { shouldDirty: true });
  };
  const { title: typed, ...rest } = form.getValues();
  if (title) fillField("title", title.value, [titleFrom(file.name), ""].includes(typed.trim()));
  if (type) fillField("type", type.value, rest.type === "");
  if (effectiveDate) fillField("effectiveDate", effectiveDate.value, rest.effectiveDate === "");
  if (termMonths) fillField("termMonths", String(termMonths.value), rest.termMonths === "");
  if (renewal && !rest.autoRenews) {
    fillField("autoRenews", true, true);
    fillField("renewalMonths", String(renewal.months), rest.renewalMonths === "");
  }
  return filled;
}

export function hasFindings({ parties, ...single }: DocumentTerms): boolean {
  return parties.length > 0 || Object.values(single).some(Boolean);
}

/** The place in the document where a field's value was found, below that field. */
export function SourceQuote({ found }: { found: Quoted | null | undefined }) {
  if (!found) return null;
  return (
    <details className="mt-1.5 text-quiet text-xs">
      <summary className="w-fit cursor-pointer rounded-sm hover:text-ink">
        Found on page {found.page} of the document
      </summary>
      <div className="mt-1.5">
        <DocumentQuote quote={found.quote} />
      </div>
    </details>
  );
}

export interface FoundPartiesProps {
  parties: DocumentTerms["parties"];
  chosen: string | null;
  onChoose(id: string): void;
}

/** The parties named in the document, except this workspace. A click selects or adds one. */
export function FoundParties({ parties, chosen, onChoose }: FoundPartiesProps) {
  const may = useMay();
  const { workspaces, organizationId } = useSession();
  const { data } = useOperation("counterparties.list", {}, { enabled: parties.length > 0 });
  const create = useAct("counterparties.create", { invalidates: ["counterparties"] });
  const ours = normalizedName(workspaces.find((one) => one.organizationId === organizationId)?.name ?? "");
  // A prefix is enough: "Northwind" is also "Northwind, Inc."
  const others = parties.filter(({ value }) => ours === "" || !normalizedName(value).startsWith(ours));
  if (!data || others.length === 0) return null;
  const known = (name: string) => data.data.find((one) => sameName(one.name, name));
  const choose = async (name: string) => {
    const existing = known(name);
    if (existing) return onChoose(existing.id);
    const created = await create.run({ name }).catch(() => null);
    if (created) onChoose(created.counterparty.id);
  };
  return (
    <div className="mt-1.5 grid gap-1.5">
      {others.map((party) => {
        const there = known(party.value);
        if (there ? there.id === chosen : !may("counterparties:write")) {
          return <SourceQuote key={party.value} found={party} />;
        }
        return (
          <div key={party.value}>
            <Button
              size="sm"
              className="h-auto max-w-full *:whitespace-normal py-1 text-left"
              busy={create.isRunning}
              onClick={() => void choose(party.value)}
            >
              <span className="wrap-anywhere">
                {there ? "Use" : "Add"} {party.value}
              </span>
            </Button>
            <SourceQuote found={party} />
          </div>
        );
      })}
    </div>
  );
}

const normalizedName = (name: string) => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
const sameName = (a: string, b: string) => normalizedName(a) === normalizedName(b);
