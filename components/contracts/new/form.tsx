"use client";
/** The form for a new contract, with its document. */
import { Button } from "#components/ui/button.tsx";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { Fields } from "#components/ui/field.tsx";
import { FormError } from "#components/ui/form-error.tsx";
import { lazily } from "#components/ui/lazily.tsx";
import { UploadStatus } from "#components/upload.tsx";
import { type Amended, type Creation, useCreation } from "./creation.ts";
import { DocumentPart } from "./document-part.tsx";
import { NamePart, PartiesPart, ValuePart } from "./parts.tsx";
import { Part, TermPart } from "./term-part.tsx";

const NewContractFields = lazily(() =>
  import("#components/custom-fields/new-contract-fields.tsx").then((module) => module.NewContractFields),
);

export function NewContractForm({ amended }: { amended: Amended | null }) {
  const creation = useCreation(amended);
  const { form, terms, upload } = creation;
  const found = terms.terms;
  return (
    <form onSubmit={creation.submit} noValidate className="mt-6 grid gap-8">
      <Fields isSubmitting={creation.isSending}>
        <FormError>{form.formState.errors.root?.message}</FormError>
        <DocumentPart document={creation.document} terms={terms} />
        <NamePart form={form} found={found} />
        <PartiesPart form={form} found={found} />
        <TermPart form={form} found={found} />
        <ValuePart form={form} />
        <CustomFieldsPart creation={creation} />
        <UploadStatus upload={upload} />
        <div className="flex flex-wrap items-center justify-end gap-2 border-line border-t pt-4">
          <Recalled kept={creation.kept} />
          <ButtonLink href="/contracts" onClick={creation.kept.forget}>
            Cancel
          </ButtonLink>
          <Button type="submit" variant="primary" busy={creation.isSending}>
            {creation.isDuplicate ? "Create it anyway" : "Create the contract"}
          </Button>
        </div>
      </Fields>
    </form>
  );
}

function CustomFieldsPart({ creation: { form, fields } }: { creation: Creation }) {
  const { errors } = form.formState;
  if (fields.length === 0) return null;
  return (
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
  );
}

/** Says that earlier entries were restored, and offers to discard them. */
function Recalled({ kept: { isRestored, missingFile, startOver } }: { kept: Creation["kept"] }) {
  return (
    <>
      <p role="status" className="min-w-0 flex-1 text-quiet text-xs [overflow-wrap:anywhere]">
        {isRestored && "Your earlier entries have been restored."}
        {isRestored && missingFile && ` Add ${missingFile} again: it was not kept.`}
      </p>
      {isRestored && (
        <Button variant="quiet" onClick={startOver}>
          Start over
        </Button>
      )}
    </>
  );
}
