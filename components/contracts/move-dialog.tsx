"use client";
/** Confirms a status change that ends a contract or cannot be undone, and asks for a reason. */
import { useState } from "react";
import { useCloseIfMounted } from "#components/mounted.ts";
import { Button } from "#components/ui/button.tsx";
import { Dialog, DialogBody, DialogFooter } from "#components/ui/dialog.tsx";
import { Field, Fields } from "#components/ui/field.tsx";
import { Textarea } from "#components/ui/input.tsx";
import type { ConfirmedStatus } from "./move.ts";

interface MoveDialogProps {
  next: ConfirmedStatus;
  onClose(): void;
  onMove(reason: string | undefined): Promise<unknown>;
}

const words = {
  EXECUTED: {
    title: "Mark this contract as executed?",
    description: "Everyone has signed it outside Countersign. It can no longer go back to draft or review.",
    action: "Mark as executed",
    isDanger: false,
  },
  TERMINATED: {
    title: "Terminate this contract?",
    description: "Its open obligations end with it. Termination is final.",
    action: "Terminate the contract",
    isDanger: true,
  },
  CANCELLED: {
    title: "Cancel this contract?",
    description: "Its open obligations end with it. It can become a draft again.",
    action: "Cancel the contract",
    isDanger: true,
  },
} satisfies Record<ConfirmedStatus, unknown>;

export function MoveDialog({ next, onClose, onMove }: MoveDialogProps) {
  const close = useCloseIfMounted(onClose);
  const [reason, setReason] = useState("");
  const [busy, setBusy] = useState(false);
  const { title, description, action, isDanger } = words[next];
  const go = async () => {
    setBusy(true);
    await onMove(reason.trim() || undefined).then(close, () => setBusy(false));
  };
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={title} description={description}>
      <DialogBody>
        <Fields isSubmitting={busy}>
          <Field label="Reason" optional hint="Kept in the audit log.">
            <Textarea
              value={reason}
              maxLength={500}
              rows={3}
              onChange={(event) => setReason(event.target.value)}
            />
          </Field>
        </Fields>
      </DialogBody>
      <DialogFooter>
        <Button onClick={onClose}>Keep it</Button>
        <Button variant={isDanger ? "danger" : "primary"} busy={busy} onClick={go}>
          {action}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
