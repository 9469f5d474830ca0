"use client";
/** Asks for the password once more where the server wants it, and then does what was asked for. */
import { createContext, type ReactNode, useCallback, useContext, useState } from "react";
import { problemOf, useAct } from "#components/query.tsx";
import { useSession } from "#components/session.tsx";
import { Button } from "#components/ui/button.tsx";
import { Dialog, DialogBody, DialogFooter } from "#components/ui/dialog.tsx";
import { Field } from "#components/ui/field.tsx";
import { FormError, placeRefusal, useZodForm } from "#components/ui/form.tsx";
import { PasswordInput } from "#components/ui/input.tsx";
import { PasswordProof } from "#lib/accounts/schema.ts";
import { ApiProblem } from "#lib/api/client.ts";

type Attempt = <T>(work: () => Promise<T>) => Promise<T>;

const FreshPasswordContext = createContext<Attempt>((work) => work());

/**
 * Runs what may need the password entered a short while ago. Where it does, the person is asked and it runs
 * again; rejects with `password_needed` when they would rather not.
 */
export const useFreshPassword = () => useContext(FreshPasswordContext);

interface Asked {
  proceed(): void;
  giveUp(): void;
}

export function FreshPassword({ children }: { children: ReactNode }) {
  const [asked, setAsked] = useState<Asked | null>(null);
  const attempt = useCallback<Attempt>(async (work) => {
    try {
      return await work();
    } catch (error) {
      if (!isWanting(error)) throw error;
      await new Promise<void>((proceed, reject) => setAsked({ proceed, giveUp: () => reject(error) }));
      return work();
    }
  }, []);
  const end = (how: "proceed" | "giveUp") => {
    asked?.[how]();
    setAsked(null);
  };
  return (
    <FreshPasswordContext value={attempt}>
      {children}
      {asked && <PasswordDialog onProved={() => end("proceed")} onClose={() => end("giveUp")} />}
    </FreshPasswordContext>
  );
}

/** Whether it failed only for want of the password: nothing to tell, the person knows. */
export const isWanting = (error: unknown) => error instanceof ApiProblem && error.code === "password_needed";

function PasswordDialog({ onProved, onClose }: { onProved(): void; onClose(): void }) {
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
