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
import { SignUpConfirmed } from "#lib/people/accounts/schema.ts";
import { passwordHint } from "./password-hint.ts";

/**
 * Confirms a sign-up. Opening the link proves the address, and the password is only set here, so that nobody else can
 * have set one before.
 */
export function Confirmation({ token, email }: { token: string; email: string }) {
  const form = useZodForm(SignUpConfirmed, { token, password: "" });
  const { errors, isSubmitting } = form.formState;
  const [leaving, setLeaving] = useState(false);
  const submit = form.handleSubmit(async (input) => {
    try {
      await call("account.confirmSignUp", input);
      await signIn({ email, password: input.password });
      setLeaving(true);
      window.location.assign("/home");
    } catch (error) {
      showRefusal(form, problemOf(error), ["password"]);
    }
  });
  return (
    <form onSubmit={submit} noValidate className="grid gap-4">
      <FormError>{errors.root?.message}</FormError>
      <Field label="E-mail address">
        <Input value={email} readOnly autoComplete="username" />
      </Field>
      <Field
        label="Choose a password"
        subject="The password"
        hint={passwordHint}
        error={errors.password?.message}
        required
      >
        <PasswordInput {...form.register("password")} autoComplete="new-password" autoFocus />
      </Field>
      <Button type="submit" variant="primary" size="lg" busy={isSubmitting || leaving}>
        Create the workspace
      </Button>
    </form>
  );
}
