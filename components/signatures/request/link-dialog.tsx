"use client";
/** A signing link to copy by hand, for browsers that do not let pages write to the clipboard. */
import { Button } from "#components/ui/button.tsx";
import { Dialog, DialogBody, DialogFooter } from "#components/ui/dialog.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";

export function LinkDialog({ name, url, onClose }: { name: string; url: string; onClose(): void }) {
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      staysOpen={() => true}
      title="Copy this link"
      description="Your browser does not let this page copy it, so copy it yourself."
      size="md"
    >
      <DialogBody>
        <Field
          label="Signing link"
          hint={`Whoever has it can sign as ${name}, who is notified by e-mail that you copied it.`}
        >
          <Input
            autoFocus
            readOnly
            value={url}
            onFocus={({ target }) => target.select()}
            className="font-mono !text-xs"
          />
        </Field>
      </DialogBody>
      <DialogFooter>
        <Button onClick={onClose}>Done</Button>
      </DialogFooter>
    </Dialog>
  );
}
