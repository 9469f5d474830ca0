"use client";
/** A signer's visit: what the server says their page shows, kept up to date, and the way to act. */
import { useCallback, useEffect, useRef, useState } from "react";
import { problemOf } from "#components/problem.ts";
import type { ApiProblem } from "#lib/api/client.ts";
import {
  type CeremonyState,
  callAsSigner,
  type SignerAct,
  type SignerInput,
  type SignerOperation,
  type SignerOutput,
} from "#lib/api/sign-client.ts";

export interface Visit {
  /** Null until the link has been opened. */
  state: CeremonyState | null;
  /** Why the link could not be opened. */
  problem: ApiProblem | null;
  /** The server has not answered for a while. */
  isCutOff: boolean;
  /** Does something; the page then shows what is next. Throws an ApiProblem where it is refused. */
  act<Name extends SignerAct>(name: Name, input: SignerInput<Name>): Promise<void>;
  /** Asks for something that changes nothing here, such as the document's address. */
  ask<Name extends SignerOperation>(name: Name, input: SignerInput<Name>): Promise<SignerOutput<Name>>;
  openAgain(): void;
}

/** Opens the link, and looks every few seconds whether anything has changed. */
export function useVisit(token: string): Visit {
  const [state, setState] = useState<CeremonyState | null>(null);
  const [problem, setProblem] = useState<ApiProblem | null>(null);
  const [isCutOff, setCutOff] = useState(false);
  const signerId = useRef<string | undefined>(undefined);
  const asked = useRef(0);
  const shown = useRef(0);

  /** Answers may overtake each other: what was asked last is what is shown. */
  const show = useCallback(async (answer: Promise<{ state: CeremonyState }>) => {
    asked.current += 1;
    const number = asked.current;
    const { state: next } = await answer;
    signerId.current = next.signer.id;
    setCutOff(false);
    if (number < shown.current) return;
    shown.current = number;
    setState(next);
  }, []);

  const open = useCallback(async () => {
    try {
      await show(callAsSigner("open", { token }));
      setProblem(null);
    } catch (error) {
      setProblem(problemOf(error));
    }
  }, [show, token]);

  useEffect(() => {
    void open();
  }, [open]);

  const ask = useCallback(
    async <Name extends SignerOperation>(name: Name, input: SignerInput<Name>) => {
      const call = () => callAsSigner(name, input, { signerId: signerId.current });
      try {
        return await call();
      } catch (error) {
        if (problemOf(error).code !== "forbidden") throw error;
        // The visit has ended: the token of the address begins another one.
        await show(callAsSigner("open", { token }));
        return await call();
      }
    },
    [show, token],
  );

  const act = useCallback(
    async <Name extends SignerAct>(name: Name, input: SignerInput<Name>) => {
      try {
        await show(ask(name, input) as Promise<{ state: CeremonyState }>);
      } catch (error) {
        // Something has happened that this page does not show yet.
        if (problemOf(error).code === "invalid_transition")
          await show(ask("state", {})).catch(() => undefined);
        throw error;
      }
    },
    [ask, show],
  );

  usePulse(state, async (before) => {
    try {
      const { screen, version } = await ask("poll", {});
      setCutOff(false);
      if (screen !== before.screen || version !== before.version) await show(ask("state", {}));
    } catch (error) {
      if (problemOf(error).code === "unreachable") setCutOff(true);
    }
  });

  return { state, problem, isCutOff, act, ask, openAgain: () => void open() };
}

const pulseMs = 4000;

/** Nothing follows these. */
const last: ReadonlySet<string> = new Set(["declined", "voided", "delegated", "completed"]);

/** Looks every few seconds while the page is seen, and at once when it is seen again. */
function usePulse(state: CeremonyState | null, look: (before: CeremonyState) => Promise<void>): void {
  const latest = useRef({ state, look });
  useEffect(() => {
    latest.current = { state, look };
  });
  useEffect(() => {
    let isLooking = false;
    const tick = async () => {
      const { state: before, look: now } = latest.current;
      if (!before || last.has(before.screen) || document.hidden || isLooking) return;
      isLooking = true;
      await now(before);
      isLooking = false;
    };
    const timer = setInterval(tick, pulseMs);
    document.addEventListener("visibilitychange", tick);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", tick);
    };
  }, []);
}
