"use client";
/** Dialogs that send an approval back or delegate it. */
import { useState } from "react";
import { useCloseIfMounted } from "#components/mounted.ts";
import { useAct } from "#components/query.tsx";
import { useSession } from "#components/session.tsx";
import { Field } from "#components/ui/field.tsx";
import { FormDialog } from "#components/ui/form-dialog.tsx";
import { Textarea } from "#components/ui/input.tsx";
import { useToast } from "#components/ui/toast.tsx";
import { ApproverField } from "./approver-field.tsx";
import { invalidatedByApproval } from "./words.ts";

interface AnswerDialogProps {
  id: string;
  step: number;
  onClose(): void;
}

export function SendBackDialog({ id, step, onClose }: AnswerDialogProps) {
  const close = useCloseIfMounted(onClose);
  const toast = useToast();
  const [reason, setReason] = useState("");
  const [wrong, setWrong] = useState<string>();
  const sendBack = useAct("approvals.sendBack", { invalidates: invalidatedByApproval });
  const submit = async () => {
    if (reason.trim() === "") return setWrong("Say what has to be changed.");
    await sendBack.run({ id, step, reason }).then(
      () => {
        toast({ title: "Sent back" });
        close();
      },
      () => undefined,
    );
  };
  return (
    <FormDialog
      title="Send this contract back?"
      description="Whoever requested the approval sees the reason. A new version needs everyone's approval again."
      action="Send back"
      danger
      busy={sendBack.isRunning}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field label="Reason" required {...(wrong ? { error: wrong } : {})}>
        <Textarea
          value={reason}
          maxLength={2000}
          rows={4}
          autoFocus
          onChange={(event) => setReason(event.target.value)}
        />
      </Field>
    </FormDialog>
  );
}

export function DelegateDialog({ id, step, onClose }: AnswerDialogProps) {
  const close = useCloseIfMounted(onClose);
  const toast = useToast();
  const { user } = useSession();
  const [person, setPerson] = useState<{ id: string; name: string } | null>(null);
  const [wrong, setWrong] = useState<string>();
  const delegate = useAct("approvals.delegate", { invalidates: invalidatedByApproval });
  const submit = async () => {
    if (!person) return setWrong("Choose who approves in your place.");
    await delegate.run({ id, step, userId: person.id }).then(
      () => {
        toast({ title: `Delegated to ${person.name}` });
        close();
      },
      () => undefined,
    );
  };
  return (
    <FormDialog
      title="Delegate your approval?"
      description="They decide in your place, and are notified. The activity shows that you delegated it."
      action="Delegate"
      busy={delegate.isRunning}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field label="To" required {...(wrong ? { error: wrong } : {})}>
        <ApproverField value={person?.id ?? null} onValue={setPerson} without={[user.id]} />
      </Field>
    </FormDialog>
  );
}
