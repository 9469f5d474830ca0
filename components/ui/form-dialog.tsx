"use client";
/** A dialog that is a form: what is asked, why it was refused, and the two answers. */
import { type FormEvent, type ReactNode, useRef } from "react";
import { Button } from "./button.tsx";
import { Dialog, DialogBody, DialogFooter, type DialogProps } from "./dialog.tsx";
import { Fields } from "./field.tsx";
import { FormError } from "./form-error.tsx";

export interface FormDialogProps extends Omit<DialogProps, "open" | "onOpenChange" | "staysOpen"> {
  /** What the form as a whole was refused for. */
  error?: string | undefined;
  /** What the button does, as a verb: "Add the contact". */
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
  const isEntered = useRef(false);
  return (
    <Dialog {...dialog} open onOpenChange={(open) => !open && onClose()} staysOpen={() => isEntered.current}>
      <form
        noValidate
        onInput={() => {
          isEntered.current = true;
        }}
        onSubmit={(event) => {
          event.preventDefault();
          void onSubmit(event);
        }}
        className="flex min-h-0 flex-col"
      >
        <DialogBody className="grid gap-4">
          <FormError>{error}</FormError>
          <Fields areSent={busy}>{children}</Fields>
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
