"use client";
import { problemOf } from "#components/problem.ts";
import { useAct } from "#components/query.tsx";
import { useSession } from "#components/session.tsx";
import { Button } from "#components/ui/button.tsx";
import { Dialog, DialogBody, DialogFooter } from "#components/ui/dialog.tsx";
import { Field } from "#components/ui/field.tsx";
import { placeRefusal, useZodForm } from "#components/ui/form.tsx";
import { FormError } from "#components/ui/form-error.tsx";
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
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Enter your password"
      description="What you are about to do hands out power, so we make sure that it is you. It counts for ten minutes."
    >
      <form onSubmit={submit} noValidate className="flex min-h-0 flex-col">
        <DialogBody className="grid gap-4">
          <FormError>{errors.root?.message}</FormError>
          <input type="hidden" name="username" autoComplete="username" value={user.email} readOnly />
          <Field label="Password" error={errors.password?.message} required>
            <PasswordInput {...form.register("password")} autoComplete="current-password" autoFocus />
          </Field>
        </DialogBody>
        <DialogFooter>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" busy={confirm.isRunning}>
            Continue
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}
