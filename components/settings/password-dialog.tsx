"use client";
import { problemOf } from "#components/problem.ts";
import { useAct } from "#components/query.tsx";
import { useSession } from "#components/session.tsx";
import { Field } from "#components/ui/field.tsx";
import { placeRefusal, useZodForm } from "#components/ui/form.tsx";
import { FormDialog } from "#components/ui/form-dialog.tsx";
import { PasswordInput } from "#components/ui/input.tsx";
import { PasswordProof } from "#lib/accounts/schema.ts";

export function PasswordDialog({ onProved, onClose }: { onProved(): void; onClose(): void }) {
  const { user } = useSession();
  const form = useZodForm(PasswordProof, { password: "" });
  const { errors } = form.formState;
  const confirm = useAct("sessions.confirmPassword", { invalidates: ["profile"], tellsRefusals: false });
  const submit = form.handleSubmit(async (input) => {
    try {
      await confirm.run(input);
      onProved();
    } catch (error) {
      placeRefusal(form, problemOf(error), ["password"]);
    }
  });
  return (
    <FormDialog
      title="Enter your password"
      description="What you are about to do hands out power, so we make sure that it is you. It counts for ten minutes."
      error={errors.root?.message}
      action="Continue"
      busy={confirm.isRunning}
      onSubmit={submit}
      onClose={onClose}
    >
      <input type="hidden" name="username" autoComplete="username" value={user.email} readOnly />
      <Field label="Password" error={errors.password?.message} required>
        <PasswordInput {...form.register("password")} autoComplete="current-password" autoFocus />
      </Field>
    </FormDialog>
  );
}
