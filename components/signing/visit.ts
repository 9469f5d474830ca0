"use client";
/** A signer's visit: the state of their page, kept up to date, and the actions on it. */
import { useCallback, useEffect, useRef, useState } from "react";
import { problemOf } from "#components/problem.ts";
import { recordUnreachable, useIsCutOff, useOnReconnect } from "#components/ui/connection.ts";
import type { ApiProblem } from "#lib/doors/client.ts";
import {
  type CeremonyState,
  callAsSigner,
  type SignerAct,
  type SignerInput,
  type SignerOperation,
  type SignerOutput,
} from "#lib/doors/sign-client.ts";

export interface Visit {
  /** Null until the link has been opened. */
  state: CeremonyState | null;
  /** Why the link could not be opened; null if it could. */
  problem: ApiProblem | null;
  /** Whether the server is unreachable. */
  isCutOff: boolean;
  /** Performs an action; the page then shows the next screen. Throws an ApiProblem if it is refused. */
  act<Name extends SignerAct>(name: Name, input: SignerInput<Name>): Promise<void>;
  /** Requests something without changing the page's state, such as the document's address. */
  ask<Name extends SignerOperation>(name: Name, input: SignerInput<Name>): Promise<SignerOutput<Name>>;
  reopen(): void;
}

/** Opens the link, and checks every few seconds whether anything has changed. */
export function useVisit(token: string): Visit {
  const [state, setState] = useState<CeremonyState | null>(null);
  const [problem, setProblem] = useState<ApiProblem | null>(null);
  const isCutOff = useIsCutOff();
  const signerId = useRef<string | undefined>(undefined);
  const asked = useRef(0);
  const shown = useRef(0);

  /** Shows the response to the latest request: responses may arrive out of order. */
  const show = useCallback(async (answer: Promise<{ state: CeremonyState }>) => {
    asked.current += 1;
    const number = asked.current;
    const { state: next } = await answer;
    signerId.current = next.signer.id;
    if (number < shown.current) return;
    shown.current = number;
    setState(next);
  }, []);

  const open = useCallback(async () => {
    try {
      await show(callAsSigner("open", { token }));
      setProblem(null);
    } catch (error) {
      setProblem(toProblem(error));
    }
  }, [show, token]);

  useEffect(() => {
    void open();
  }, [open]);

  const ask = useCallback(
    async <Name extends SignerOperation>(name: Name, input: SignerInput<Name>) => {
      const call = () =>
        callAsSigner(name, input, { signerId: signerId.current, signal: AbortSignal.timeout(patienceMs) });
      try {
        return await call();
      } catch (error) {
        if (toProblem(error).code !== "forbidden") throw error;
        // The visit has ended: the token in the address starts a new one.
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
        // The state has changed in a way that this page does not show yet.
        if (problemOf(error).code === "invalid_transition")
          await show(ask("state", {})).catch(() => undefined);
        throw error;
      }
    },
    [ask, show],
  );

  usePolling(state, async (before) => {
    try {
      const { screen, version } = await ask("poll", {});
      if (screen !== before.screen || version !== before.version) await show(ask("state", {}));
    } catch {
      // The next check may succeed.
    }
  });
  useOnReconnect(() => {
    if (state === null) void open();
  });

  return { state, problem, isCutOff, act, ask, reopen: () => void open() };
}

/** The timeout, after which the connection counts as lost. Signature images take a while on a slow one. */
const patienceMs = 30_000;

/** Converts an error to a problem. If the server did not respond, reports that to the whole page. */
function toProblem(error: unknown): ApiProblem {
  const problem = problemOf(error);
  if (problem.code === "unreachable") recordUnreachable();
  return problem;
}

const pollMs = 4000;

/** The final screens, which need no polling. */
const finalScreens: ReadonlySet<string> = new Set(["declined", "voided", "delegated", "completed"]);

/** Calls `look` every few seconds while the page is visible, and immediately when it becomes visible. */
function usePolling(state: CeremonyState | null, look: (before: CeremonyState) => Promise<void>): void {
  const latest = useRef({ state, look });
  useEffect(() => {
    latest.current = { state, look };
  });
  useEffect(() => {
    let isPolling = false;
    const tick = async () => {
      const { state: before, look: now } = latest.current;
      if (!before || finalScreens.has(before.screen) || document.hidden || isPolling) return;
      isPolling = true;
      await now(before);
      isPolling = false;
    };
    const timer = setInterval(tick, pollMs);
    document.addEventListener("visibilitychange", tick);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", tick);
    };
  }, []);
}
