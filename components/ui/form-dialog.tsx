"use client";
/** A dialog with a form: its fields, its error, and the buttons to submit and to cancel. */
import { type FormEvent, type ReactNode, useRef } from "react";
import { Button } from "./button.tsx";
import { Dialog, DialogBody, DialogFooter, type DialogProps } from "./dialog.tsx";
import { Fields } from "./field.tsx";
import { FormError } from "./form-error.tsx";

export interface FormDialogProps extends Omit<DialogProps, "open" | "onOpenChange" | "staysOpen"> {
  /** The error of the form as a whole. */
  error?: string | undefined;
  /** The label of the submit button, beginning with a verb: "Add the contact". */
  action: string;
  busy: boolean;
  danger?: boolean;
  cancel?: string;
  onSubmit(event: FormEvent): unknown;
  onClose(): void;
  children: ReactNode;
}

export function FormDialog({
  error,
  action,
  busy,
  danger = false,
  cancel = "Cancel",
  onSubmit,
  onClose,
  children,
  ...dialog
}: FormDialogProps) {
  const hasInput = useRef(false);
  return (
    <Dialog {...dialog} open onOpenChange={(open) => !open && onClose()} staysOpen={() => hasInput.current}>
      <form
        noValidate
        onInput={() => {
          hasInput.current = true;
        }}
        onSubmit={(event) => {
          event.preventDefault();
          void onSubmit(event);
        }}
        className="flex min-h-0 flex-col"
      >
        <DialogBody className="grid gap-4">
          <FormError>{error}</FormError>
          <Fields isSubmitting={busy}>{children}</Fields>
        </DialogBody>
        <DialogFooter>
          <Button onClick={onClose}>{cancel}</Button>
          <Button type="submit" variant={danger ? "danger" : "primary"} busy={busy}>
            {action}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}
