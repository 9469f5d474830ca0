"use client";
/** The member's own name, date format, time zone and password. */
import { useRouter } from "next/navigation";
import { passwordHint } from "#components/accounts/password-hint.ts";
import { problemOf } from "#components/problem.ts";
import { useAct, useOperation } from "#components/query.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card, Section } from "#components/ui/card.tsx";
import { Field } from "#components/ui/field.tsx";
import { showRefusal, useZodForm } from "#components/ui/form.tsx";
import { FormError } from "#components/ui/form-error.tsx";
import { Input } from "#components/ui/input.tsx";
import { lazily } from "#components/ui/lazily.tsx";
import { PasswordInput } from "#components/ui/password-input.tsx";
import { Skeleton } from "#components/ui/states.tsx";
import { useToast } from "#components/ui/toast.tsx";
import type { Profile } from "#lib/people/accounts/schema.ts";
import { Read, Reason, SettingsBody } from "../parts.tsx";

const RegionForm = lazily(() => import("./region-form.tsx").then((module) => module.RegionForm), {
  loading: () => <Skeleton className="h-40 w-full" />,
});

const loadSchemas = () => import("#lib/people/accounts/schema.ts");
const loadNameForm = () => loadSchemas().then((schemas) => schemas.ProfilePatch);
const loadPasswordForm = () => loadSchemas().then((schemas) => schemas.PasswordChange);

export function ProfilePage() {
  const reading = useOperation("profile.read", {});
  return (
    <SettingsBody title="Profile" description="You, in every workspace that you belong to.">
      <Read reading={reading} label="Loading your profile">
        {({ profile }) => (
          <>
            <NameForm key={profile.name} profile={profile} />
            <Section title="Dates and times">
              <Card className="p-4 sm:p-5">
                <RegionForm key={`${profile.locale} ${profile.timeZone}`} profile={profile} />
              </Card>
            </Section>
            <Section title="Password">
              <Card className="p-4 sm:p-5">
                {profile.hasPassword ? (
                  <PasswordForm />
                ) : (
                  <Reason>
                    You sign in through another service, so there is no password here. To set one, sign out
                    and choose “Forgot password?”.
                  </Reason>
                )}
              </Card>
            </Section>
          </>
        )}
      </Read>
    </SettingsBody>
  );
}

function NameForm({ profile: { name, email } }: { profile: Profile }) {
  const form = useZodForm(loadNameForm, { name });
  const { errors, isDirty, isSubmitting } = form.formState;
  const toast = useToast();
  const router = useRouter();
  const patch = useAct("profile.patch", {
    invalidates: ["profile", "members", "auditEvents"],
    showsErrors: false,
  });
  const submit = form.handleSubmit(async (input) => {
    try {
      await patch.run(input);
      toast({ title: "Name changed" });
      router.refresh();
    } catch (error) {
      showRefusal(form, problemOf(error), ["name"]);
    }
  });
  return (
    <Card className="p-4 sm:p-5">
      <form onSubmit={submit} noValidate className="grid gap-4">
        <FormError>{errors.root?.message}</FormError>
        <Field label="Name" error={errors.name?.message} required>
          <Input {...form.register("name")} autoComplete="name" />
        </Field>
        <Field label="E-mail address" hint="It is what you sign in with, and cannot be changed here.">
          <Input value={email} readOnly type="email" />
        </Field>
        <div>
          <Button type="submit" variant="primary" disabled={!isDirty} busy={isSubmitting}>
            Save
          </Button>
        </div>
      </form>
    </Card>
  );
}

function PasswordForm() {
  const form = useZodForm(loadPasswordForm, { currentPassword: "", newPassword: "" });
  const { errors, isSubmitting } = form.formState;
  const toast = useToast();
  const change = useAct("profile.changePassword", {
    invalidates: ["profile", "sessions"],
    showsErrors: false,
  });
  const submit = form.handleSubmit(async (input) => {
    try {
      await change.run(input);
      form.reset();
      toast({ title: "Password changed", detail: "You are signed out everywhere but here." });
    } catch (error) {
      showRefusal(form, problemOf(error), ["currentPassword", "newPassword"]);
    }
  });
  return (
    <form onSubmit={submit} noValidate className="grid gap-4">
      <FormError>{errors.root?.message}</FormError>
      <Field label="Current password" error={errors.currentPassword?.message} required>
        <PasswordInput {...form.register("currentPassword")} autoComplete="current-password" />
      </Field>
      <Field
        label="New password"
        hint={`${passwordHint} You are signed out everywhere else, your calendar feed ends, and your assistants are disconnected.`}
        error={errors.newPassword?.message}
        required
      >
        <PasswordInput {...form.register("newPassword")} autoComplete="new-password" />
      </Field>
      <div>
        <Button type="submit" busy={isSubmitting}>
          Change the password
        </Button>
      </div>
    </form>
  );
}
