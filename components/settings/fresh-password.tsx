"use client";
/** Asks for the password once more where the server wants it, and then does what was asked for. */
import dynamic from "next/dynamic";
import { createContext, type ReactNode, useCallback, useContext, useState } from "react";
import { ApiProblem } from "#lib/api/client.ts";

/** With the forms' library: when it is asked for. */
const PasswordDialog = dynamic(
  () => import("./password-dialog.tsx").then((module) => module.PasswordDialog),
  { ssr: false },
);

type Attempt = <T>(work: () => Promise<T>) => Promise<T>;

const FreshPasswordContext = createContext<Attempt>((work) => work());

/**
 * Runs what may need the password entered a short while ago. Where it does, the person is asked and it runs
 * again; rejects with `password_needed` when they would rather not.
 */
export const useFreshPassword = () => useContext(FreshPasswordContext);

interface Asked {
  proceed(): void;
  giveUp(): void;
}

export function FreshPassword({ children }: { children: ReactNode }) {
  const [asked, setAsked] = useState<Asked | null>(null);
  const attempt = useCallback<Attempt>(async (work) => {
    try {
      return await work();
    } catch (error) {
      if (!isWanting(error)) throw error;
      await new Promise<void>((proceed, reject) => setAsked({ proceed, giveUp: () => reject(error) }));
      return work();
    }
  }, []);
  const end = (how: "proceed" | "giveUp") => {
    asked?.[how]();
    setAsked(null);
  };
  return (
    <FreshPasswordContext value={attempt}>
      {children}
      {asked && <PasswordDialog onProved={() => end("proceed")} onClose={() => end("giveUp")} />}
    </FreshPasswordContext>
  );
}

/** Whether it failed only for want of the password: nothing to tell, the person knows. */
export const isWanting = (error: unknown) => error instanceof ApiProblem && error.code === "password_needed";
