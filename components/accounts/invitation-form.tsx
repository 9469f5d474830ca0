"use client";
import { useState } from "react";
import { problemOf } from "#components/problem.ts";
import { Button } from "#components/ui/button.tsx";
import { Field } from "#components/ui/field.tsx";
import { showRefusal, useZodForm } from "#components/ui/form.tsx";
import { FormError } from "#components/ui/form-error.tsx";
import { Input } from "#components/ui/input.tsx";
import { PasswordInput } from "#components/ui/password-input.tsx";
import { call } from "#lib/doors/client.ts";
import { signIn } from "#lib/doors/session-client.ts";
import { Acceptance } from "#lib/people/accounts/schema.ts";
import { passwordHint } from "./password-hint.ts";

export interface InvitationFormProps {
  token: string;
  email: string;
  hasAccount: boolean;
  isSignedIn: boolean;
}

export function InvitationForm({ token, email, hasAccount, isSignedIn }: InvitationFormProps) {
  const asks = isSignedIn ? {} : hasAccount ? { password: "" } : { name: "", password: "" };
  const form = useZodForm(Acceptance, { token, ...asks });
  const { errors, isSubmitting } = form.formState;
  const [leaving, setLeaving] = useState(false);
  const submit = form.handleSubmit(async (input) => {
    try {
      const accepted = await call("account.acceptInvitation", input);
      if (!isSignedIn) await signIn({ email: accepted.email, password: input.password ?? "" });
      setLeaving(true);
      window.location.assign("/home");
    } catch (error) {
      showRefusal(form, problemOf(error), ["name", "password"]);
    }
  });
  return (
    <form onSubmit={submit} noValidate className="grid gap-4">
      <FormError>{errors.root?.message}</FormError>
      <Field label="E-mail address">
        <Input value={email} readOnly autoComplete="username" />
      </Field>
      {!isSignedIn && !hasAccount && (
        <Field label="Your name" error={errors.name?.message} required>
          <Input {...form.register("name")} autoComplete="name" autoFocus />
        </Field>
      )}
      {!isSignedIn && (
        <Field
          label={hasAccount ? "Your password" : "Choose a password"}
          subject="The password"
          hint={hasAccount ? "This address already has an account here." : passwordHint}
          error={errors.password?.message}
          required
        >
          <PasswordInput
            {...form.register("password")}
            autoComplete={hasAccount ? "current-password" : "new-password"}
          />
        </Field>
      )}
      <Button type="submit" variant="primary" size="lg" busy={isSubmitting || leaving}>
        Join the workspace
      </Button>
    </form>
  );
}
