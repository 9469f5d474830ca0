"use client";
/** The sign-in form. Does not use the form library, because this is the first page that anyone waits for. */
import { type FormEvent, useState } from "react";
import { problemOf } from "#components/problem.ts";
import { Button } from "#components/ui/button.tsx";
import { Field } from "#components/ui/field.tsx";
import { FormError } from "#components/ui/form-error.tsx";
import { Input } from "#components/ui/input.tsx";
import { Link } from "#components/ui/link.tsx";
import { PasswordInput } from "#components/ui/password-input.tsx";
import { signIn } from "#lib/doors/session-client.ts";
import { Providers, type ProvidersProps } from "./providers.tsx";

export interface SignInFormProps extends ProvidersProps {
  /** Why the last attempt was refused. */
  refused: string | null;
}

interface Wrong {
  email?: string;
  password?: string;
  all?: string | null;
}

export function SignInForm({ next, providers, refused }: SignInFormProps) {
  const [wrong, setWrong] = useState<Wrong>({ all: refused });
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const values = new FormData(form);
    const email = String(values.get("email")).trim();
    const password = String(values.get("password"));
    const missing = {
      email: email.includes("@") ? undefined : "must be an e-mail address",
      password: password ? undefined : "must not be empty",
    };
    setWrong(missing);
    const first = missing.email ? "email" : missing.password ? "password" : null;
    if (first) {
      (form.elements.namedItem(first) as HTMLInputElement).focus();
      return;
    }
    setBusy(true);
    try {
      await signIn({ email, password });
      window.location.assign(next);
    } catch (error) {
      setBusy(false);
      setWrong({ all: problemOf(error).message });
      (form.elements.namedItem("password") as HTMLInputElement).focus();
    }
  };
  return (
    <>
      <form onSubmit={submit} noValidate className="grid gap-4">
        <FormError>{wrong.all}</FormError>
        <Field label="E-mail address" error={wrong.email} required>
          <Input name="email" type="email" autoComplete="username" autoFocus />
        </Field>
        <Field label="Password" error={wrong.password} required>
          <PasswordInput name="password" autoComplete="current-password" />
        </Field>
        <Button type="submit" variant="primary" size="lg" busy={busy}>
          Sign in
        </Button>
        <p>
          <Link href="/forgotten-password">Forgot password?</Link>
        </p>
      </form>
      <Providers next={next} providers={providers} />
    </>
  );
}
