"use client";
import { SecretDialog } from "../secret-dialog.tsx";

export interface EndpointSecretDialogProps {
  title: string;
  secret: string;
  /** Whether it replaces a secret that continues to sign for 24 hours. */
  isRotated?: boolean;
  onClose(): void;
}

export function EndpointSecretDialog({ title, secret, isRotated, onClose }: EndpointSecretDialogProps) {
  return (
    <SecretDialog title={title} what="Signing secret" secret={secret} onClose={onClose}>
      <p>
        Your receiver checks the header <code className="font-mono text-xs">webhook-signature</code> with it,
        as Standard Webhooks describes. Any of its libraries can do that.
      </p>
      {isRotated && (
        <p>For 24 hours both secrets sign, so that you can switch to the new one without missing anything.</p>
      )}
    </SecretDialog>
  );
}
