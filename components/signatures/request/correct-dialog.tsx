"use client";
import { useCloseIfMounted } from "#components/mounted.ts";
import { problemOf } from "#components/problem.ts";
import { Field } from "#components/ui/field.tsx";
import { showRefusal, useZodForm } from "#components/ui/form.tsx";
import { FormDialog } from "#components/ui/form-dialog.tsx";
import { Input } from "#components/ui/input.tsx";
import { useToast } from "#components/ui/toast.tsx";
import { Correction } from "#lib/signatures/draft/schema.ts";
import { type EnvelopeSigner, useRequestAction } from "../request-actions.ts";

const CorrectionForm = Correction.pick({ name: true, email: true }).required();

/** Corrects a signer's name or address. */
export function CorrectDialog({ signer, onClose }: { signer: EnvelopeSigner; onClose(): void }) {
  const close = useCloseIfMounted(onClose);
  const toast = useToast();
  const form = useZodForm(CorrectionForm, { name: signer.name, email: signer.email });
  const { errors, isSubmitting } = form.formState;
  const correct = useRequestAction("signatures.correctSigner", { showsErrors: false });
  const submit = form.handleSubmit(async (values) => {
    try {
      const { name, email } = values;
      const { envelopeId, id: signerId } = signer;
      // Another address changes who can sign, so it requires a confirmed identity; another name does not.
      await correct.run({ envelopeId, signerId, name, ...(email === signer.email ? {} : { email }) });
      toast({ title: "Corrected", detail: `${values.name} gets a new link at ${values.email}.` });
      close();
    } catch (error) {
      showRefusal(form, problemOf(error), ["name", "email"]);
    }
  });
  return (
    <FormDialog
      title="Correct this signer"
      description="Links sent so far stop working, and anything filled in with them is cleared. If it is their turn, a new e-mail goes out at once."
      error={errors.root?.message}
      action="Correct the signer"
      busy={isSubmitting}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field label="Name" error={errors.name?.message} required>
        <Input {...form.register("name")} autoFocus autoComplete="off" />
      </Field>
      <Field
        label="E-mail address"
        error={errors.email?.message}
        required
        hint={signer.userId ? "A member's address cannot be changed." : undefined}
      >
        <Input
          {...form.register("email")}
          type="email"
          autoComplete="off"
          readOnly={signer.userId !== null}
        />
      </Field>
    </FormDialog>
  );
}
