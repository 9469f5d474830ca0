"use client";
import { useState } from "react";
import { useCloseIfMounted } from "#components/mounted.ts";
import { whyRefused } from "#components/problem.ts";
import { Field } from "#components/ui/field.tsx";
import { FormDialog } from "#components/ui/form-dialog.tsx";
import { DateInput } from "#components/ui/input.tsx";
import { useZone } from "#components/ui/time.tsx";
import { useToast } from "#components/ui/toast.tsx";
import { dayIn, endOfDay } from "../deadline.ts";
import { type Envelope, useRequestAction } from "../request-actions.ts";

export function ExtendDialog({ envelope, onClose }: { envelope: Envelope; onClose(): void }) {
  const close = useCloseIfMounted(onClose);
  const toast = useToast();
  const zone = useZone();
  const [day, setDay] = useState(() => dayIn(envelope.deadline, zone));
  const [wrong, setWrong] = useState<string>();
  const extend = useRequestAction("signatures.extend", { showsErrors: false });
  const isExpired = envelope.status === "EXPIRED";
  const save = async () => {
    const deadline = endOfDay(day, zone);
    if (deadline === null) return setWrong("is required");
    try {
      await extend.run({ envelopeId: envelope.id, deadline });
      toast({ title: isExpired ? "Signing continues" : "The deadline was changed" });
      close();
    } catch (error) {
      setWrong(whyRefused(error));
    }
  };
  return (
    <FormDialog
      title={isExpired ? "Extend the deadline" : "Change the deadline"}
      description={
        isExpired
          ? "Whoever's turn it was gets an e-mail with a new link. Signatures given so far are kept."
          : "All who still have to sign see the new day."
      }
      action="Save the deadline"
      busy={extend.isRunning}
      onSubmit={save}
      onClose={onClose}
    >
      <Field label="Last day to sign" required error={wrong} hint={`Until the end of that day (${zone}).`}>
        <DateInput
          autoFocus
          value={day}
          onChange={(event) => {
            setDay(event.target.value);
            setWrong(undefined);
          }}
        />
      </Field>
    </FormDialog>
  );
}
