"use client";
import { useState } from "react";
import { problemOf } from "#components/problem.ts";
import { Button } from "#components/ui/button.tsx";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { Field } from "#components/ui/field.tsx";
import { showRefusal, useZodForm } from "#components/ui/form.tsx";
import { FormError } from "#components/ui/form-error.tsx";
import { Input } from "#components/ui/input.tsx";
import { PasswordInput } from "#components/ui/password-input.tsx";
import { call } from "#lib/doors/client.ts";
import { PasswordResetRequest, Reset } from "#lib/people/accounts/schema.ts";
import { EmailSent } from "./email-sent.tsx";
import { passwordHint } from "./password-hint.ts";

export function ForgottenPasswordForm() {
  const form = useZodForm(PasswordResetRequest, { email: "" });
  const { errors, isSubmitting } = form.formState;
  const [mailedTo, setMailedTo] = useState<string | null>(null);
  const submit = form.handleSubmit(async (input) => {
    try {
      await call("account.requestPasswordReset", input);
      setMailedTo(input.email);
    } catch (error) {
      showRefusal(form, problemOf(error), ["email"]);
    }
  });
  if (mailedTo)
    return (
      <EmailSent to={mailedTo}>If it has an account here, the link in it sets a new password.</EmailSent>
    );
  return (
    <form onSubmit={submit} noValidate className="grid gap-4">
      <FormError>{errors.root?.message}</FormError>
      <Field label="E-mail address" error={errors.email?.message} required>
        <Input {...form.register("email")} type="email" autoComplete="username" autoFocus />
      </Field>
      <Button type="submit" variant="primary" size="lg" busy={isSubmitting}>
        Send the link
      </Button>
    </form>
  );
}

export function ResetPasswordForm({ token }: { token: string }) {
  const form = useZodForm(Reset, { token, password: "" });
  const { errors, isSubmitting } = form.formState;
  const [done, setDone] = useState(false);
  const submit = form.handleSubmit(async (input) => {
    try {
      await call("account.resetPassword", input);
      setDone(true);
    } catch (error) {
      const refused = problemOf(error);
      showRefusal(form, { ...refused, message: refused.message, issues: refused.issues.map(aboutLink) }, [
        "password",
      ]);
    }
  });
  if (done) {
    return (
      <div role="status" className="grid gap-4">
        <p className="text-base text-quiet">
          Your password has been changed, and every other session has ended.
        </p>
        <ButtonLink href="/sign-in" variant="primary" size="lg">
          Sign in
        </ButtonLink>
      </div>
    );
  }
  return (
    <form onSubmit={submit} noValidate className="grid gap-4">
      <FormError>{errors.root?.message}</FormError>
      <Field label="New password" hint={passwordHint} error={errors.password?.message} required>
        <PasswordInput {...form.register("password")} autoComplete="new-password" autoFocus />
      </Field>
      <Button type="submit" variant="primary" size="lg" busy={isSubmitting}>
        Set the password
      </Button>
    </form>
  );
}

/** Attributes an error of the token to “the link”, since users do not know about tokens. */
function aboutLink({ path, message }: { path: string; message: string }) {
  return path === "token" ? { path: "The link", message } : { path, message };
}
