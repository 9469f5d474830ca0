"use client";
/** Asks members to confirm their identity when the server requires it, and then repeats the action. */
import { type ReactNode, useCallback, useState } from "react";
import { lazily } from "#components/ui/lazily.tsx";
import { type Attempt, IdentityCheckContext, isUnconfirmed } from "./identity-check.ts";

/** Loaded on demand, because it includes the form library, and this component is part of every page. */
const ConfirmIdentityDialog = lazily(
  () => import("./confirm-identity-dialog.tsx").then((module) => module.ConfirmIdentityDialog),
  { isRare: true },
);

interface PendingConfirmation {
  proceed(): void;
  giveUp(): void;
}

export function ConfirmIdentity({ children }: { children: ReactNode }) {
  const [asked, setAsked] = useState<PendingConfirmation | null>(null);
  const attempt = useCallback<Attempt>(async (work) => {
    try {
      return await work();
    } catch (error) {
      if (!isUnconfirmed(error)) throw error;
      await new Promise<void>((proceed, reject) => setAsked({ proceed, giveUp: () => reject(error) }));
      return work();
    }
  }, []);
  const end = (how: "proceed" | "giveUp") => {
    asked?.[how]();
    // By now, another action may be waiting for confirmation.
    setAsked((now) => (now === asked ? null : now));
  };
  return (
    <IdentityCheckContext value={attempt}>
      {children}
      {asked && <ConfirmIdentityDialog onProved={() => end("proceed")} onClose={() => end("giveUp")} />}
    </IdentityCheckContext>
  );
}
