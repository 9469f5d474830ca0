"use client";
/** Ends a contract: asks, and takes a reason along. */
import { useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { Dialog, DialogBody, DialogFooter } from "#components/ui/dialog.tsx";
import { Field } from "#components/ui/field.tsx";
import { Textarea } from "#components/ui/input.tsx";
import type { ContractStatus } from "#lib/contracts/lifecycle.ts";

interface EndDialogProps {
  next: ContractStatus;
  onClose(): void;
  onMove(reason: string | undefined): Promise<unknown>;
}

export function EndDialog({ next, onClose, onMove }: EndDialogProps) {
  const [reason, setReason] = useState("");
  const [busy, setBusy] = useState(false);
  const verb = next === "TERMINATED" ? "Terminate" : "Cancel";
  const go = async () => {
    setBusy(true);
    await onMove(reason.trim() || undefined).then(onClose, () => setBusy(false));
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`${verb} this contract?`}
      description={`Its open obligations end with it.${next === "TERMINATED" ? " Termination is final." : " It can become a draft again."}`}
    >
      <DialogBody>
        <Field label="Reason" optional hint="Kept in the audit log.">
          <Textarea
            value={reason}
            maxLength={500}
            rows={3}
            onChange={(event) => setReason(event.target.value)}
          />
        </Field>
      </DialogBody>
      <DialogFooter>
        <Button onClick={onClose}>Keep it</Button>
        <Button variant="danger" busy={busy} onClick={go}>
          {verb} the contract
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
