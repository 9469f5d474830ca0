"use client";
import { useState } from "react";
import { Button } from "./button.tsx";
import { Dialog, DialogBody, DialogFooter, type DialogProps } from "./dialog.tsx";

export interface ConfirmationProps extends Omit<DialogProps, "size" | "staysOpen"> {
  /** The label of the confirming button, beginning with a verb: "Delete the contact". */
  action: string;
  danger?: boolean;
  onConfirm(): Promise<unknown> | undefined;
}

/** The dialog of `ConfirmDialog`. It stays open while the action runs, and if it fails. */
export function Confirmation({ action, danger = true, onConfirm, children, ...dialog }: ConfirmationProps) {
  const [busy, setBusy] = useState(false);
  const confirm = async () => {
    setBusy(true);
    try {
      await onConfirm();
      dialog.onOpenChange(false);
    } catch {
      // The caller's onConfirm reports its own errors.
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog {...dialog} onOpenChange={(open) => !busy && dialog.onOpenChange(open)}>
      {children && <DialogBody>{children}</DialogBody>}
      <DialogFooter>
        <Button disabled={busy} onClick={() => dialog.onOpenChange(false)}>
          Cancel
        </Button>
        <Button variant={danger ? "danger" : "primary"} busy={busy} onClick={confirm}>
          {action}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
