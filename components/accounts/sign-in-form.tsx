"use client";
import { useState } from "react";
import { problemOf } from "#components/query.tsx";
import { Button } from "#components/ui/button.tsx";
import { Field } from "#components/ui/field.tsx";
import { FormError, useZodForm } from "#components/ui/form.tsx";
import { Input, PasswordInput } from "#components/ui/input.tsx";
import { Link } from "#components/ui/link.tsx";
import { SignIn } from "#lib/accounts/schema.ts";
import { signIn, signInElsewhere } from "#lib/api/client.ts";

export interface SignInFormProps {
  next: string;
  providers: { id: string; name: string }[];
  /** What the last try was refused for. */
  refused: string | null;
}

export function SignInForm({ next, providers, refused }: SignInFormProps) {
  const form = useZodForm(SignIn, { email: "", password: "" });
  const { errors, isSubmitting } = form.formState;
  const [leaving, setLeaving] = useState(false);
  const submit = form.handleSubmit(async (input) => {
    try {
      await signIn(input);
      setLeaving(true);
      window.location.assign(next);
    } catch (error) {
      form.setError("root", { message: problemOf(error).message });
      form.setFocus("password");
    }
  });
  return (
    <>
      <form onSubmit={submit} noValidate className="grid gap-4">
        <FormError>{errors.root?.message ?? (form.formState.isSubmitted ? null : refused)}</FormError>
        <Field label="E-mail address" error={errors.email?.message} required>
          <Input {...form.register("email")} type="email" autoComplete="username" autoFocus />
        </Field>
        <Field label="Password" error={errors.password?.message} required>
          <PasswordInput {...form.register("password")} autoComplete="current-password" />
        </Field>
        <Button type="submit" variant="primary" size="lg" busy={isSubmitting || leaving}>
          Sign in
        </Button>
        <p>
          <Link href="/forgotten-password">Forgotten password?</Link>
        </p>
      </form>
      {providers.length > 0 && (
        <div className="grid gap-2">
          <p className="flex items-center gap-3 text-faint text-xs before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
            or
          </p>
          {providers.map(({ id, name }) => (
            <Button key={id} size="lg" onClick={() => void signInElsewhere(id, next)}>
              Continue with {name}
            </Button>
          ))}
        </div>
      )}
    </>
  );
}
