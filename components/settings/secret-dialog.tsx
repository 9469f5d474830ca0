"use client";
/** Shows a secret that cannot be shown again. */
import { TriangleAlert } from "lucide-react";
import { type ReactNode, useId } from "react";
import { Button } from "#components/ui/button.tsx";
import { CopyButton, useCopy } from "#components/ui/copy.tsx";
import { Dialog, DialogBody, DialogFooter } from "#components/ui/dialog.tsx";

export interface SecretDialogProps {
  title: string;
  /** The kind of secret, such as "API key". */
  what: string;
  /** Empty if it was lost with the connection. */
  secret: string;
  /** Explains what to do with the secret. */
  children: ReactNode;
  onClose(): void;
}

export function SecretDialog({ title, what, secret, children, onClose }: SecretDialogProps) {
  const id = useId();
  const copying = useCopy(secret);
  if (secret === "") {
    return (
      <Dialog open onOpenChange={(open) => !open && onClose()} title={title} size="md">
        <DialogBody>
          <p>
            It was created, but its secret was lost with the connection and cannot be shown again. Revoke or
            rotate it, and use the new one.
          </p>
        </DialogBody>
        <DialogFooter>
          <Button onClick={onClose}>Close</Button>
        </DialogFooter>
      </Dialog>
    );
  }
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} staysOpen={() => true} title={title} size="md">
      <DialogBody className="grid gap-4">
        <p className="flex gap-2 rounded-md bg-tone-warn px-3 py-2 text-on-warn">
          <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
          <span>Copy it now. It is shown only once and cannot be shown again.</span>
        </p>
        <div className="grid gap-1.5">
          <label htmlFor={id} className="font-medium">
            {what}
          </label>
          <div className="flex flex-wrap gap-2">
            <output
              id={id}
              className="min-w-0 flex-1 basis-64 select-all break-all rounded-md border border-line bg-well px-2.5 py-1.5 font-mono text-xs"
            >
              {secret}
            </output>
            <CopyButton {...copying} />
          </div>
        </div>
        <div className="grid gap-2 text-quiet">{children}</div>
      </DialogBody>
      <DialogFooter>
        <Button variant={copying.copied ? "primary" : "secondary"} onClick={onClose}>
          I have copied it
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
