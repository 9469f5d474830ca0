"use client";
import { useState } from "react";
import { whyRefused } from "#components/problem.ts";
import { Field } from "#components/ui/field.tsx";
import { FormDialog } from "#components/ui/form-dialog.tsx";
import { Textarea } from "#components/ui/input.tsx";
import { useToast } from "#components/ui/toast.tsx";
import { useRequestAct, type Watched } from "../acts.ts";

export function VoidDialog({ envelope, onClose }: { envelope: Watched; onClose(): void }) {
  const toast = useToast();
  const [reason, setReason] = useState("");
  const [wrong, setWrong] = useState<string>();
  const act = useRequestAct("signatures.void", { tellsRefusals: false });
  const go = async () => {
    if (reason.trim() === "") return setWrong("is required: the signers are told it");
    try {
      await act.run({ envelopeId: envelope.id, reason: reason.trim() });
      toast({ title: "The request was voided" });
      onClose();
    } catch (error) {
      setWrong(whyRefused(error));
    }
  };
  return (
    <FormDialog
      title="Void this request?"
      description="Nobody can sign it any more, and signatures given so far count for nothing. It cannot be undone; it can be duplicated as a draft."
      action="Void the request"
      danger
      cancel="Keep it"
      busy={act.isRunning}
      onSubmit={go}
      onClose={onClose}
    >
      <Field label="Reason" required error={wrong} hint="The signers who were asked are told it by e-mail.">
        <Textarea
          autoFocus
          rows={3}
          maxLength={500}
          value={reason}
          onChange={(event) => {
            setReason(event.target.value);
            setWrong(undefined);
          }}
        />
      </Field>
    </FormDialog>
  );
}
