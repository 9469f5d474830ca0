"use client";
/** The state of the form for a new contract: its document, and its values, stored in this tab until sent. */
import { type FormEvent, useState } from "react";
import type { z } from "zod";
import { shortYearsOf, useCustomFields } from "#components/custom-fields/custom-fields.ts";
import { titleFrom } from "#components/documents/words.ts";
import { useFormDraft } from "#components/form-draft.ts";
import { useGuardedNavigation } from "#components/mounted.ts";
import { problemOf } from "#components/problem.ts";
import { useAct } from "#components/query.tsx";
import { useSession } from "#components/session.tsx";
import { showRefusal, useZodForm } from "#components/ui/form.tsx";
import { useToast } from "#components/ui/toast.tsx";
import { useUpload } from "#components/upload.tsx";
import type { Contract } from "#lib/contracts/schema.ts";
import type { OutputOf } from "#lib/doors/client.ts";
import { useChosenDocument } from "./chosen-document.ts";
import type { ContractForm } from "./contract-form.ts";
import { useDocumentTerms } from "./document-terms.tsx";

/** The contract that an amendment amends: the form starts with its counterparty, role and currency. */
export type Amended = Pick<Contract, "id" | "title" | "ourRole" | "counterpartyId" | "valueCurrency">;

type Values = z.input<ContractForm>;

const loadForm = () => import("./contract-form.ts").then((module) => module.ContractForm);

const invalidates = ["contracts", "counterparties", "home"] as const;

export function useCreation(amended: Amended | null) {
  const { user } = useSession();
  const first = useFirstValues(amended);
  const form = useZodForm(loadForm, first);
  const fields = useCustomFields();
  const terms = useDocumentTerms(form);
  const [isLeaving, setLeaving] = useState(false);
  const leadTo = useGuardedNavigation();
  const toast = useToast();
  const goTo = ({ contract }: OutputOf<"contracts.create">) => {
    setLeaving(true);
    kept.forget();
    toast({ title: "Contract created", detail: contract.title });
    leadTo(`/contracts/${contract.id}`);
  };
  const create = useAct("contracts.create", { invalidates: [...invalidates], showsErrors: false });
  const upload = useUpload("contracts.create", { invalidates: [...invalidates], onSent: goTo });
  const document = useChosenDocument({
    onChoosing: () => upload.clear(),
    onChosen(file) {
      void terms.read(file);
      if (file && form.getValues("title").trim() === "") form.setValue("title", titleFrom(file.name));
    },
  });
  const [previousFileName, setPreviousFileName] = useState<string | null>(null);
  const values = form.watch();
  const kept = useFormDraft(
    `new contract ${amended?.id ?? ""} ${user.id}`,
    { values, fileName: document.file?.name ?? previousFileName },
    {
      isChanged: document.file !== null || JSON.stringify(values) !== JSON.stringify(first),
      isSent: isLeaving,
      onRestore: (before) => {
        // A dropped file starts a new contract.
        if (document.wasDropped()) return false;
        form.reset({ ...first, ...before.values }, { keepDefaultValues: true });
        setPreviousFileName(before.fileName);
        return true;
      },
    },
  );
  const isDuplicate = upload.refusals.some(({ problem }) => problem.code === "duplicate_document");
  const showIssues = (message: string, issues: { path: string; message: string }[]) =>
    showRefusal(form, { message, issues }, [
      ...(Object.keys(form.getValues()) as (keyof Values)[]),
      ...fields.map(({ key }) => `customFields.${key}` as const),
    ]);
  const send = form.handleSubmit(async (entered) => {
    // The file may still be under check if someone submits right after choosing it.
    const chosen = await document.settled();
    const wrong = shortYearsOf(fields, form.getValues("customFields"));
    if (wrong.length > 0) return showIssues("", wrong);
    try {
      // Submitting again after the warning confirms the duplicate.
      if (chosen) await upload.send(chosen, { ...entered, allowDuplicate: isDuplicate });
      else goTo(await create.run(entered));
    } catch (error) {
      const { message, issues } = problemOf(error);
      showIssues(
        message,
        issues.map((issue) => (issue.path === "valueCents" ? { ...issue, path: "amount" } : issue)),
      );
    }
  });
  return {
    ...{ form, fields, terms, document, upload, isDuplicate },
    isSending: form.formState.isSubmitting || upload.state.kind === "sending" || isLeaving,
    async submit(event: FormEvent) {
      event.preventDefault();
      // A file may set the title, so validate after it has been checked.
      await document.settled();
      await send(event);
    },
    kept: {
      ...kept,
      /** The name of the document chosen earlier, which cannot be stored. */
      missingFile: document.file ? null : previousFileName,
      startOver() {
        form.reset(first);
        setPreviousFileName(null);
      },
    },
  };
}

export type Creation = ReturnType<typeof useCreation>;

function useFirstValues(amended: Amended | null): Values {
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
  return first;
}
