"use client";
/** Unsubscribes from e-mails. Only the button does it: mail scanners follow links, so opening the page must not. */
import { useState } from "react";
import { problemOf } from "#components/problem.ts";
import { Button } from "#components/ui/button.tsx";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { FormError } from "#components/ui/form-error.tsx";
import { call } from "#lib/doors/client.ts";
import type { Unsubscribing } from "#lib/notifications/schema.ts";
import { Frame } from "./frame.tsx";

const words: Record<Unsubscribing["what"], string> = {
  digest: "what is due",
  assignments: "what is assigned to you",
  mentions: "mentions",
  approvals: "approvals",
};

export function Unsubscribe({ token, found }: { token: string; found: Unsubscribing }) {
  const [isOver, setOver] = useState(found.isOver);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const { workspaceName, email, what } = found;
  const stop = async () => {
    setBusy(true);
    try {
      await call("unsubscription.confirm", { token });
      setOver(true);
    } catch (problem) {
      setError(problemOf(problem).message);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Frame
      title={isOver ? "These e-mails are off" : `Unsubscribe from e-mails about ${words[what]}?`}
      lead={
        isOver
          ? `${email} no longer gets e-mails about ${words[what]} in ${workspaceName}. Everything still appears in the inbox.`
          : `${email} gets these e-mails from the workspace ${workspaceName}. Everything will still appear in the inbox.`
      }
    >
      <FormError>{error}</FormError>
      {!isOver && (
        <Button variant="primary" size="lg" busy={busy} onClick={() => void stop()}>
          Unsubscribe
        </Button>
      )}
      <ButtonLink href="/settings/notifications" size="lg">
        Notification settings
      </ButtonLink>
    </Frame>
  );
}
