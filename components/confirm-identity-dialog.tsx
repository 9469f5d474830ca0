"use client";
import { useEffect, useState } from "react";
import { problemOf } from "#components/problem.ts";
import { useAct, useOperation } from "#components/query.tsx";
import { useSession } from "#components/session.tsx";
import { Button } from "#components/ui/button.tsx";
import { Dialog, DialogBody, DialogFooter } from "#components/ui/dialog.tsx";
import { Field } from "#components/ui/field.tsx";
import { showRefusal, useZodForm } from "#components/ui/form.tsx";
import { FormDialog } from "#components/ui/form-dialog.tsx";
import { FormError } from "#components/ui/form-error.tsx";
import { PasswordInput } from "#components/ui/password-input.tsx";
import { confirmationAddress } from "#lib/doors/session-client.ts";
import { PasswordProof } from "#lib/people/accounts/schema.ts";

interface DialogProps {
  onProved(): void;
  onClose(): void;
}

const why = "What you are about to do gives access, so we check that it is you.";

/** Asks for the password; members without one sign in again with their provider. */
export function ConfirmIdentityDialog(props: DialogProps) {
  const { data } = useOperation("profile.read", {});
  if (!data) return null;
  return data.profile.hasPassword ? <PasswordDialog {...props} /> : <ProviderDialog {...props} />;
}

function PasswordDialog({ onProved, onClose }: DialogProps) {
  const { user } = useSession();
  const form = useZodForm(PasswordProof, { password: "" });
  const { errors, isSubmitting } = form.formState;
  const confirm = useAct("sessions.confirmPassword", { invalidates: ["profile"], showsErrors: false });
  const submit = form.handleSubmit(async (input) => {
    try {
      await confirm.run(input);
      onProved();
    } catch (error) {
      showRefusal(form, problemOf(error), ["password"]);
    }
  });
  return (
    <FormDialog
      title="Enter your password"
      description={`${why} It is valid for ten minutes.`}
      error={errors.root?.message}
      action="Continue"
      busy={isSubmitting}
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

/** The polling interval for the sign-in in the other tab. */
const pollMs = 1500;

function ProviderDialog({ onProved, onClose }: DialogProps) {
  const { data: ways } = useOperation("account.ways", {});
  const [since, setSince] = useState<string | null | undefined>(undefined);
  const { data } = useOperation("profile.read", {}, { everyMs: pollMs });
  const confirmedAt = data?.profile.passwordConfirmedAt ?? null;
  const [refused, setRefused] = useState<string | null>(null);
  useEffect(() => {
    if (since !== undefined && confirmedAt !== since) onProved();
  }, [since, confirmedAt, onProved]);
  const go = async (provider: string) => {
    // Opened before awaiting anything: after that, the browser would block it as a pop-up.
    const tab = window.open("about:blank");
    setSince(confirmedAt);
    try {
      const address = await confirmationAddress(provider);
      if (tab) tab.location.href = address;
      else setRefused("Your browser has blocked the new tab. Allow it, then try again.");
    } catch (error) {
      tab?.close();
      setRefused(problemOf(error).message);
    }
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Confirm that it is you"
      description={`${why} Sign in once more with the service that you use to sign in. It opens in a new tab, and this page continues automatically.`}
    >
      <DialogBody className="grid gap-4">
        <FormError>{refused}</FormError>
        {ways?.providers.map(({ id, name }) => (
          <Button key={id} variant="primary" size="lg" onClick={() => void go(id)}>
            Continue with {name}
          </Button>
        ))}
        {ways?.providers.length === 0 && (
          <p className="text-quiet">
            No such service is set up any longer. Sign out, choose “Forgot password?” and set a password.
          </p>
        )}
        {since !== undefined && (
          <p role="status" className="text-quiet">
            Waiting for the other tab …
          </p>
        )}
      </DialogBody>
      <DialogFooter>
        <Button onClick={onClose}>Cancel</Button>
      </DialogFooter>
    </Dialog>
  );
}
