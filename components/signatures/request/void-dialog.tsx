"use client";
import { useState } from "react";
import { useCloseIfMounted } from "#components/mounted.ts";
import { whyRefused } from "#components/problem.ts";
import { Field } from "#components/ui/field.tsx";
import { FormDialog } from "#components/ui/form-dialog.tsx";
import { Textarea } from "#components/ui/input.tsx";
import { useToast } from "#components/ui/toast.tsx";
import { type Envelope, useRequestAction } from "../request-actions.ts";

const words = {
  "signatures.void": {
    title: "Void this request?",
    description:
      "No one can sign it any more, and signatures given so far lose their effect. This cannot be undone, but the request can be duplicated as a draft.",
    action: "Void the request",
    done: "The request was voided",
  },
  "signatures.end": {
    title: "End this request?",
    description:
      "Everyone has signed, but the document could not be sealed. If you end it, the signatures lose their effect, the signers' links stop working, and the contract returns to its previous status. This cannot be undone, but the request can be duplicated as a draft.",
    action: "End the request",
    done: "The request was ended",
  },
};

interface VoidDialogProps {
  envelope: Envelope;
  by: keyof typeof words;
  onClose(): void;
}

export function VoidDialog({ envelope, by, onClose }: VoidDialogProps) {
  const close = useCloseIfMounted(onClose);
  const { title, description, action, done } = words[by];
  const toast = useToast();
  const [reason, setReason] = useState("");
  const [wrong, setWrong] = useState<string>();
  const act = useRequestAction(by, { showsErrors: false });
  const go = async () => {
    if (reason.trim() === "") return setWrong("is required: the signers will see it");
    try {
      await act.run({ envelopeId: envelope.id, reason: reason.trim() });
      toast({ title: done });
      close();
    } catch (error) {
      setWrong(whyRefused(error));
    }
  };
  return (
    <FormDialog
      title={title}
      description={description}
      action={action}
      danger
      cancel="Keep it"
      busy={act.isRunning}
      onSubmit={go}
      onClose={onClose}
    >
      <Field label="Reason" required error={wrong} hint="It is sent by e-mail to the signers who were asked.">
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
