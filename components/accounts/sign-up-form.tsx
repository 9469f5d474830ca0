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
import { NewAccount } from "#lib/people/accounts/schema.ts";
import { EmailSent } from "./email-sent.tsx";
import { passwordHint } from "./password-hint.ts";

/**
 * The sign-up form. If addresses are confirmed by e-mail, the password is set on the page that the e-mail
 * links to.
 */
export function SignUpForm({ confirmsAddresses }: { confirmsAddresses: boolean }) {
  const start = { name: "", email: "", workspaceName: "" };
  const form = useZodForm(NewAccount, confirmsAddresses ? start : { ...start, password: "" });
  const { errors, isSubmitting } = form.formState;
  const [mailedTo, setMailedTo] = useState<string | null>(null);
  const [leaving, setLeaving] = useState(false);
  const submit = form.handleSubmit(async (input) => {
    try {
      const { state } = await call("account.signUp", input);
      if (state === "mailed") {
        setMailedTo(input.email);
        return;
      }
      await signIn({ email: input.email, password: input.password ?? "" });
      setLeaving(true);
      window.location.assign("/home");
    } catch (error) {
      showRefusal(form, problemOf(error), ["name", "email", "password", "workspaceName"]);
    }
  });
  if (mailedTo) {
    return (
      <EmailSent to={mailedTo}>
        Open the link in it within an hour and choose a password. Nothing is created until then.
      </EmailSent>
    );
  }
  return (
    <form onSubmit={submit} noValidate className="grid gap-4">
      <FormError>{errors.root?.message}</FormError>
      <Field label="Your name" error={errors.name?.message} required>
        <Input {...form.register("name")} autoComplete="name" autoFocus />
      </Field>
      <Field label="E-mail address" error={errors.email?.message} required>
        <Input {...form.register("email")} type="email" autoComplete="username" />
      </Field>
      {!confirmsAddresses && (
        <Field label="Password" hint={passwordHint} error={errors.password?.message} required>
          <PasswordInput {...form.register("password")} autoComplete="new-password" />
        </Field>
      )}
      <Field
        label="Workspace"
        hint="Your company or team. You can change it later."
        error={errors.workspaceName?.message}
        required
      >
        <Input {...form.register("workspaceName")} autoComplete="organization" />
      </Field>
      <Button type="submit" variant="primary" size="lg" busy={isSubmitting || leaving}>
        {confirmsAddresses ? "Continue" : "Create the workspace"}
      </Button>
    </form>
  );
}
