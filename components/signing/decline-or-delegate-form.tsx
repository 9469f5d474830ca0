"use client";
/** The two alternatives to signing: delegating and declining. */
import { type FormEvent, useState } from "react";
import { useCloseIfMounted } from "#components/mounted.ts";
import { problemOf } from "#components/problem.ts";
import { Button } from "#components/ui/button.tsx";
import { DialogBody, DialogFooter } from "#components/ui/dialog.tsx";
import { Field } from "#components/ui/field.tsx";
import { FormError } from "#components/ui/form-error.tsx";
import { Input, Textarea } from "#components/ui/input.tsx";
import type { CeremonyState } from "#lib/doors/sign-client.ts";
import type { Visit } from "./visit.ts";

export interface DeclineOrDelegateFormProps {
  way: "delegate" | "decline";
  state: CeremonyState;
  visit: Visit;
  onClose(): void;
}

export function DeclineOrDelegateForm({ way, state, visit, onClose }: DeclineOrDelegateFormProps) {
  const close = useCloseIfMounted(onClose);
  const [name, setName] = useState("");
  const [email, setEmail] = useState("");
  const [reason, setReason] = useState("");
  const [isBusy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<string | null>(null);
  const [wrong, setWrong] = useState<Record<string, string>>({});
  const isDelegation = way === "delegate";
  const send = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    setTrouble(null);
    setWrong({});
    try {
      if (isDelegation) await visit.act("delegate", { name, email, ...(reason ? { reason } : {}) });
      else await visit.act("decline", { reason });
      close();
    } catch (error) {
      const { issues, message } = problemOf(error);
      setWrong(Object.fromEntries(issues.map(({ path, message: why }) => [path, why])));
      if (issues.length === 0) setTrouble(message);
      setBusy(false);
    }
  };
  return (
    <form onSubmit={send} noValidate className="flex min-h-0 flex-col">
      <DialogBody className="grid gap-4">
        <p className="text-quiet">
          {isDelegation
            ? `They are asked by e-mail to sign in your place, and this link stops working. ${state.sender.name} is notified.`
            : `No one can sign it any more, and ${state.sender.name} is notified of the reason. This cannot be undone.`}
        </p>
        <FormError>{trouble}</FormError>
        {isDelegation && (
          <>
            <Field label="Name" error={wrong.name} required>
              <Input
                value={name}
                onChange={(event) => setName(event.target.value)}
                autoComplete="off"
                autoFocus
              />
            </Field>
            <Field label="E-mail address" error={wrong.email} required>
              <Input
                type="email"
                value={email}
                onChange={(event) => setEmail(event.target.value)}
                autoComplete="off"
              />
            </Field>
          </>
        )}
        <Field label="Reason" error={wrong.reason} required={!isDelegation} optional={isDelegation}>
          <Textarea
            value={reason}
            onChange={(event) => setReason(event.target.value)}
            rows={3}
            maxLength={500}
            autoFocus={!isDelegation}
          />
        </Field>
      </DialogBody>
      <DialogFooter>
        <Button size="lg" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" size="lg" variant={isDelegation ? "primary" : "danger"} busy={isBusy}>
          {isDelegation ? "Delegate" : "Decline"}
        </Button>
      </DialogFooter>
    </form>
  );
}
