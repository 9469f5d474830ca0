/**
 * Operations that a member has to confirm with the password, or at their sign-in provider, unless they did in the last
 * ten minutes: those whose effects would outlast a session that was left open or stolen. Keys are exempt: they have no
 * password.
 */
import type { Context, SignedIn } from "#lib/core/context.ts";
import { Refusal } from "#lib/core/errors.ts";
import { roleOf } from "#lib/people/members/members.ts";

export const effects = {
  power: "decides who owns or administers the workspace",
  access: "issues a secret that gives access without signing in",
  destination: "decides where secrets and events are sent",
  signing: "decides who can sign",
} as const;

type Inputs = Record<string, unknown>;
type Who = Pick<Context, "now" | "session"> & Pick<SignedIn, "organizationId">;

interface Rule {
  effect: keyof typeof effects;
  /** Whether an input needs confirmation; by default all do. */
  when?: (input: Inputs, who: Who) => boolean | Promise<boolean>;
}

const powerful = ({ role }: Inputs) => role === "owner" || role === "admin";

/** Whether a change to a member concerns an owner, who would lose that role. */
async function ofOwner({ memberId }: Inputs, { organizationId }: Who): Promise<boolean> {
  return organizationId !== null && (await roleOf(organizationId, String(memberId))) === "owner";
}

/** By operation name. Preparing and sending a request is everyday work: its signers are notified, and listed. */
const rules: Record<string, Rule> = {
  "members.setRole": { effect: "power", when: (input, who) => powerful(input) || ofOwner(input, who) },
  "members.remove": { effect: "power", when: ofOwner },
  "invitations.create": { effect: "power", when: powerful },
  // For any role: the input does not contain it.
  "invitations.resend": { effect: "power" },
  "apiKeys.create": { effect: "access" },
  "calendarFeed.create": { effect: "access" },
  "assistantRequests.approve": { effect: "access" },
  "webhookEndpoints.create": { effect: "destination" },
  "webhookEndpoints.patch": { effect: "destination", when: ({ url }) => url !== undefined },
  "webhookEndpoints.rotateSecret": { effect: "access" },
  "signatures.copyLink": { effect: "signing" },
  "signatures.openOwnLink": { effect: "signing" },
  "signatures.correctSigner": { effect: "signing", when: ({ email }) => email !== undefined },
};

/** How long a confirmation is valid. */
const freshMs = 10 * 60 * 1000;

/** Refuses an operation that has to be confirmed first; otherwise returns the context. */
export async function requireFreshPassword<Ctx extends Who>(
  ctx: Ctx,
  input: unknown,
  { name }: { name: string },
): Promise<Ctx> {
  const rule = rules[name];
  const at = ctx.session?.passwordConfirmedAt?.getTime() ?? 0;
  if (!rule || ctx.now.getTime() - at <= freshMs) return ctx;
  if (rule.when && !(await rule.when(input as Inputs, ctx))) return ctx;
  throw new Refusal(
    "password_needed",
    "Confirm that it is you first. The confirmation is valid for ten minutes.",
  );
}
