/**
 * What a member confirms with the password, or at the provider they sign in with, unless they did in the last ten
 * minutes: decided by what an operation brings about, so that a session left open, or stolen, hands out nothing that
 * outlasts it. Keys are exempt: they have no password.
 */
import { Refusal } from "#lib/core/errors.ts";
import type { Admitted } from "./admit.ts";

export const effects = {
  power: "decides who owns or administers the workspace",
  access: "issues a secret that gives access without signing in",
  destination: "decides where secrets and events are sent",
  signing: "decides who can sign",
} as const;

interface Rule {
  effect: keyof typeof effects;
  /** For inputs that bring it about; without it, all do. */
  when?: (input: Record<string, unknown>) => boolean;
}

const powerful = ({ role }: Record<string, unknown>) => role === "owner" || role === "admin";

/** By the operation's name. Preparing and sending a request is everyday work: its signers are told, and shown. */
const rules: Record<string, Rule> = {
  "members.setRole": { effect: "power", when: powerful },
  "invitations.create": { effect: "power", when: powerful },
  // Of whatever role: the input does not say.
  "invitations.resend": { effect: "power" },
  "apiKeys.create": { effect: "access" },
  "calendarFeed.create": { effect: "access" },
  "webhookEndpoints.create": { effect: "destination" },
  "webhookEndpoints.patch": { effect: "destination", when: ({ url }) => url !== undefined },
  "webhookEndpoints.rotateSecret": { effect: "access" },
  "signatures.copyLink": { effect: "signing" },
  "signatures.openOwnLink": { effect: "signing" },
  "signatures.correctSigner": { effect: "signing", when: ({ email }) => email !== undefined },
};

/** How long a confirmation counts. */
const freshMs = 10 * 60 * 1000;

/** Refuses what has to be confirmed first. */
export function requireFreshPassword(
  name: string,
  { session, now }: Pick<Admitted["ctx"], "session" | "now">,
  input: unknown,
): void {
  const rule = rules[name];
  if (!rule || (rule.when && !rule.when(input as Record<string, unknown>))) return;
  const at = session?.passwordConfirmedAt?.getTime() ?? 0;
  if (now.getTime() - at <= freshMs) return;
  throw new Refusal(
    "password_needed",
    "Confirm that it is you: this can be done for ten minutes after that.",
  );
}
