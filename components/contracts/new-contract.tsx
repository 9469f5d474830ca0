"use client";
/** A new contract, by its document and its form: what it is called, whose it is, with whom, for how long, for how much. */
import { type FormEvent, useEffect, useRef, useState } from "react";
import { Controller } from "react-hook-form";
import type { z } from "zod";
import { documents, unfit } from "#components/accepted-files.ts";
import { shortYearsOf, useCustomFields } from "#components/custom-fields/custom-fields.ts";
import { titleFrom } from "#components/documents/words.ts";
import { useKept } from "#components/kept.ts";
import { useLeading } from "#components/mounted.ts";
import { OwnerField } from "#components/owner-field.tsx";
import { problemOf } from "#components/problem.ts";
import { useAct } from "#components/query.tsx";
import { useSession } from "#components/session.tsx";
import { Button } from "#components/ui/button.tsx";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { Field, Fields } from "#components/ui/field.tsx";
import { usePageDrop } from "#components/ui/file-drop.tsx";
import { placeRefusal, useZodForm } from "#components/ui/form.tsx";
import { FormError } from "#components/ui/form-error.tsx";
import { Input } from "#components/ui/input.tsx";
import { lazily } from "#components/ui/lazily.tsx";
import { Select } from "#components/ui/select.tsx";
import { useToast } from "#components/ui/toast.tsx";
import { UploadStatus, useUpload } from "#components/upload.tsx";
import { takeDropped, useOnlyFirst } from "#components/uploads/dropped.ts";
import { optionsOf } from "#components/words.ts";
import { contractTypes, ourRoles } from "#lib/contracts/lifecycle.ts";
import type { Contract } from "#lib/contracts/schema.ts";
import type { OutputOf } from "#lib/doors/client.ts";
import type { ContractForm } from "./contract-form.ts";
import { CounterpartyField } from "./counterparty-field.tsx";
import { useCurrencies } from "./currencies.ts";
import { FoundOn, FoundParties, foundAnything, useDocumentTerms } from "./document-terms.tsx";
import { NewContractDocument } from "./new-contract-document.tsx";
import { Part, TermPart } from "./new-contract-term.tsx";

const NewContractFields = lazily(() =>
  import("#components/custom-fields/new-contract-fields.tsx").then((module) => module.NewContractFields),
);

const loadForm = () => import("./contract-form.ts").then((module) => module.ContractForm);

type Values = z.input<ContractForm>;

/** The contract that an amendment is made to: with the same party, in the same role. */
export type Amended = Pick<Contract, "id" | "title" | "ourRole" | "counterpartyId" | "valueCurrency">;

export function NewContractForm({ amended }: { amended: Amended | null }) {
  const currencies = useCurrencies();
  const { user, currency } = useSession();
  const [first] = useState(() => ({
    title: amended ? `Amendment of ${amended.title}` : "",
    type: amended ? "AMENDMENT" : "",
    ourRole: amended?.ourRole ?? "COUNTERPARTY",
    ownerId: user.id,
    counterpartyId: amended?.counterpartyId ?? null,
    effectiveDate: "",
    termMonths: "",
    renewalMonths: "",
    autoRenews: false,
    amount: "",
    valueCurrency: amended?.valueCurrency ?? currency,
    customFields: {},
  }));
  const form = useZodForm(loadForm, first);
  const fields = useCustomFields();
  const { errors, isSubmitting } = form.formState;
  const leadTo = useLeading();
  const toast = useToast();
  const create = useAct("contracts.create", {
    invalidates: ["contracts", "counterparties", "home"],
    tellsRefusals: false,
  });
  const [isLeaving, setLeaving] = useState(false);
  const goTo = ({ contract }: OutputOf<"contracts.create">) => {
    setLeaving(true);
    kept.forget();
    toast({ title: "Contract created", detail: contract.title });
    leadTo(`/contracts/${contract.id}`);
  };
  const upload = useUpload("contracts.create", {
    invalidates: ["contracts", "counterparties", "home"],
    onSent: goTo,
  });
  const [file, setFile] = useState<File | null>(null);
  const [unfitFile, setUnfitFile] = useState<string | null>(null);
  const terms = useDocumentTerms(form);
  const found = terms.terms;
  // Who creates the contract at once after choosing a file means that file.
  const taking = useRef(Promise.resolve<File | null>(null));
  const take = (next: File | null) => {
    const before = taking.current;
    taking.current = replace(next, before);
  };
  const replace = async (next: File | null, before: Promise<File | null>) => {
    upload.clear();
    const why = next && (await unfit(next, documents));
    setUnfitFile(why && next ? `${next.name} was not added. ${why}` : null);
    if (why) return before;
    setFile(next);
    void terms.read(next);
    if (next && form.getValues("title").trim() === "") form.setValue("title", titleFrom(next.name));
    return next;
  };
  const hasDropped = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was dropped on the page before, once.
  useEffect(() => {
    const dropped = takeDropped();
    hasDropped.current = dropped !== null;
    if (dropped) take(dropped);
  }, []);
  const [fileBefore, setFileBefore] = useState<string | null>(null);
  const values = form.watch();
  const kept = useKept(
    `new contract ${amended?.id ?? ""} ${user.id}`,
    { values, fileName: file?.name ?? fileBefore },
    {
      isChanged: file !== null || JSON.stringify(values) !== JSON.stringify(first),
      isSent: isLeaving,
      onRecall: (before) => {
        // What was dropped begins a contract of its own.
        if (hasDropped.current) return false;
        form.reset({ ...first, ...before.values }, { keepDefaultValues: true });
        setFileBefore(before.fileName);
        return true;
      },
    },
  );
  const onlyFirst = useOnlyFirst();
  const isOver = usePageDrop((files) => take(onlyFirst(files)));
  const isDuplicate = upload.refusals.some(({ problem }) => problem.code === "duplicate_document");
  const place = (message: string, issues: { path: string; message: string }[]) =>
    placeRefusal(form, { message, issues }, [
      ...(Object.keys(form.getValues()) as (keyof Values)[]),
      ...fields.map(({ key }) => `customFields.${key}` as const),
    ]);
  const send = form.handleSubmit(async (entered) => {
    const chosen = await taking.current;
    const wrong = shortYearsOf(fields, form.getValues("customFields"));
    if (wrong.length > 0) return place("", wrong);
    try {
      // A second press, after the warning, means it.
      if (chosen) await upload.send(chosen, { ...entered, allowDuplicate: isDuplicate });
      else goTo(await create.run(entered));
    } catch (error) {
      const { message, issues } = problemOf(error);
      place(
        message,
        issues.map((issue) => (issue.path === "valueCents" ? { ...issue, path: "amount" } : issue)),
      );
    }
  });
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    // A file may give the title.
    await taking.current;
    await send(event);
  };
  const isSending = isSubmitting || upload.state.kind === "sending" || isLeaving;
  return (
    <form onSubmit={submit} noValidate className="mt-6 grid gap-8">
      <Fields areSent={isSending}>
        <FormError>{errors.root?.message}</FormError>
        <div className={isOver ? "rounded-lg outline-2 outline-accent" : ""}>
          <NewContractDocument
            file={file}
            onFile={take}
            onMore={(rest) => onlyFirst([file ?? rest[0]!, ...rest])}
          />
          <FormError>{unfitFile}</FormError>
          <p role="status" className="mt-1.5 text-quiet text-xs empty:hidden">
            {terms.isReading && "The document is being read for its title, parties and dates."}
            {found &&
              foundAnything(found) &&
              "The form has what was found in the document. Check it before you create the contract."}
          </p>
        </div>
        <Part title="The contract">
          <div className="sm:col-span-2">
            <Field label="Title" error={errors.title?.message} required>
              <Input
                {...form.register("title")}
                autoFocus
                placeholder="Master services agreement with Northwind"
              />
            </Field>
            <FoundOn found={found?.title} />
          </div>
          <div>
            <Field label="Type" required error={errors.type?.message}>
              <Select
                {...form.register("type")}
                placeholder="Choose a type"
                options={optionsOf(contractTypes)}
              />
            </Field>
            <FoundOn found={found?.type} />
          </div>
          <Field
            label="Our role"
            hint="Counterparty means mutual, or neither side."
            error={errors.ourRole?.message}
          >
            <Select {...form.register("ourRole")} options={optionsOf(ourRoles)} />
          </Field>
        </Part>
        <Part title="Parties">
          <div>
            <Field label="Counterparty" optional error={errors.counterpartyId?.message}>
              <Controller
                control={form.control}
                name="counterpartyId"
                render={({ field }) => <CounterpartyField value={field.value} onValue={field.onChange} />}
              />
            </Field>
            {found && (
              <FoundParties
                parties={found.parties}
                chosen={form.watch("counterpartyId")}
                onChoose={(id) => form.setValue("counterpartyId", id, { shouldDirty: true })}
              />
            )}
          </div>
          <Field label="Owner" hint="Whoever is responsible for it here." error={errors.ownerId?.message}>
            <Controller
              control={form.control}
              name="ownerId"
              render={({ field }) => (
                <OwnerField value={field.value} onValue={(id) => field.onChange(id ?? "")} />
              )}
            />
          </Field>
        </Part>
        <TermPart form={form} found={found} />
        <Part title="Value">
          <Field label="Value" optional hint="Over the whole term." error={errors.amount?.message}>
            <Input
              {...form.register("amount")}
              inputMode="decimal"
              placeholder="12,500.00"
              className="tabular-nums"
            />
          </Field>
          <Field label="Currency" error={errors.valueCurrency?.message}>
            <Select {...form.register("valueCurrency")} options={currencies} />
          </Field>
        </Part>
        {fields.length > 0 && (
          <Part title="Custom fields">
            <NewContractFields
              fields={fields}
              values={form.watch("customFields")}
              errorOf={(key) => errors.customFields?.[key]?.message}
              onValue={(key, value) =>
                form.setValue("customFields", { ...form.getValues("customFields"), [key]: value })
              }
            />
          </Part>
        )}
        <UploadStatus upload={upload} />
        <div className="flex flex-wrap items-center justify-end gap-2 border-line border-t pt-4">
          <p role="status" className="min-w-0 flex-1 text-quiet text-xs [overflow-wrap:anywhere]">
            {kept.isRecalled && "Your earlier entries have been restored."}
            {kept.isRecalled && fileBefore && !file && ` Add ${fileBefore} again: it was not kept.`}
          </p>
          {kept.isRecalled && (
            <Button
              variant="quiet"
              onClick={() => {
                form.reset(first);
                setFileBefore(null);
              }}
            >
              Start over
            </Button>
          )}
          <ButtonLink href="/contracts" onClick={kept.forget}>
            Cancel
          </ButtonLink>
          <Button type="submit" variant="primary" busy={isSending}>
            {isDuplicate ? "Create it anyway" : "Create the contract"}
          </Button>
        </div>
      </Fields>
    </form>
  );
}
