/** How a bug is planted: its code goes into a copy of the sources, behind a switch that exists only in that copy. */
import type { Mutant } from "../../mutants/mutant.ts";
import type { Finding } from "../checker.ts";
import type { Step } from "../round.ts";

export interface Bug {
  /** What is wrong; also the value of PLANTED that activates it. */
  name: string;
  edits: Mutant["edits"];
  /** The faults that reveal it; empty if everyday work does. */
  plan: Step[];
  shows: Shown;
}

/** The finding that reveals a bug: its kind and its text. */
export interface Shown {
  kind: Finding["kind"];
  says: RegExp;
}

export const edit = (file: string, find: string, replace: string) => ({ file, find, replace });

/** Code that waits, so that a momentary error lasts long enough to be found. */
export const pause = (ms: number) => `await new Promise((go) => setTimeout(go, ${ms}))`;

/** `planting` gets the condition under which the bug is active, as an expression for the planted code. */
export function bug(
  name: string,
  shows: Shown,
  planting: (isOn: string) => Bug["edits"],
  plan: Step[] = [],
): Bug {
  return { name, shows, plan, edits: planting(`(process.env.PLANTED === ${JSON.stringify(name)})`) };
}

/** The findings that these bugs cause, by kind. */
export const shown = {
  lostChange: { kind: "lost write", says: /^(Contract|Value) .* was acknowledged(; it has| and is gone)/ },
  lostVersion: { kind: "lost write", says: /^Version \S+ was acknowledged and is gone/ },
  overwritten: { kind: "lost write", says: /^Value .* was acknowledged to \d+ writes/ },
  staleRead: { kind: "stale read", says: /was read with (\d+|nothing) after \d+ was known/ },
  createdTwice: { kind: "duplicate effect", says: /^The creation \S+ (made|was answered with) / },
  mistake: { kind: "wrong answer", says: /internal_error/ },
  creationMistaken: { kind: "wrong answer", says: /^(POST \/contracts|a creation)\b/ },
  noWebhook: { kind: "lost notice", says: /came by no webhook/ },
  deliveryInHand: { kind: "unfinished work", says: /^a delivery \w+ claimed by/ },
  gap: { kind: "gap in the audit log", says: /^\d+ follows \d+\.$/ },
  brokenChain: { kind: "broken chain", says: /: (prev_hash|the (head|row)|event) / },
  unsealed: { kind: "stuck request", says: /with 0 sealed versions, and everyone has signed/ },
  sealedTwice: { kind: "duplicate effect", says: /has \d+ sealed versions/ },
} satisfies Record<string, Shown>;

export const bothServersDie = { fault: "kill -9 of both servers" };
export const bothWorkersDie = { fault: "kill -9 of both workers" };
