/**
 * The members' doors over HTTP: every operation by its name, as a POST with JSON, only for our own pages. As in the
 * public API, the checks come in the same order, and responses and errors have the same format.
 */
import type { Context, SignedIn, Visitor } from "#lib/core/context.ts";
import { Refusal } from "#lib/core/errors.ts";
import { authorize } from "#lib/core/execute.ts";
import { visitorShare } from "#lib/core/lanes.ts";
import { hasWriteScope } from "#lib/core/operation.ts";
import type { AnyDoor, Call, Door } from "#lib/http/door.ts";
import type { Caller } from "#lib/http/exchange.ts";
import { strangersFiles, workspaceFiles } from "#lib/http/files.ts";
import { once } from "#lib/http/idempotency.ts";
import { subscriptionInactive } from "#lib/http/respond.ts";
import { cached } from "#lib/http/response-cache.ts";
import { findOperation, type PageDoor } from "#lib/operations.ts";
import { deviceDays, rememberDevice } from "#lib/people/accounts/devices.ts";
import { findLink, type Purpose } from "#lib/people/accounts/mailed-links.ts";
import { admitMember, admitPerson, admitVisitor } from "./admit.ts";
import { byName } from "./by-name.ts";
import { deviceCookie } from "./session-cookie.ts";
import { requireFreshPassword } from "./step-up.ts";

export const memberPath = "/api/member";

const member: Door<Context> = {
  async admit(caller) {
    const admission = await admitMember(caller);
    const { actor, organizationId } = admission.ctx;
    refuseChangedSession(caller, actor.id, organizationId);
    return admission;
  },
  limit: ({ actor }) => actor.id,
  /** The role must allow the operation, and without an active subscription only reading is allowed. */
  authorize(operation, { ctx, subscriptionStatus }) {
    authorize(operation, ctx);
    if (subscriptionStatus !== "active" && hasWriteScope(operation)) throw subscriptionInactive();
  },
  admitInput: requireFreshPassword,
  requiresJson: true,
  files: workspaceFiles,
  once,
  cached,
};

const person: Door<SignedIn> = {
  async admit(caller) {
    const ctx = await admitPerson(caller);
    refuseChangedSession(caller, ctx.user.id);
    return { ctx };
  },
  limit: ({ user }) => user.id,
  admitInput: requireFreshPassword,
  requiresJson: true,
  files: strangersFiles(({ user }) => user.id),
};

const visitor: Door<Visitor> = {
  admit: async (caller) => ({ ctx: await admitVisitor(caller) }),
  limit: visitorShare,
  admitInput: rememberByLink,
  requiresJson: true,
  files: strangersFiles(visitorShare),
};

/** Operations that set a password by a mailed link, for as long as it works. */
const passwordLinks: Record<string, Purpose> = {
  "account.resetPassword": "password_reset",
  "account.confirmSignUp": "sign_up",
};

/**
 * Whoever reads an address's mail is its owner: remember this device as one they signed in on, so that other people's
 * guesses do not lock them out with the new password.
 */
async function rememberByLink(
  ctx: Visitor,
  input: unknown,
  { name, headers }: Pick<Call, "name" | "headers">,
): Promise<Visitor> {
  const purpose = passwordLinks[name];
  if (!purpose) return ctx;
  const { email } = await findLink(purpose, String((input as { token: unknown }).token), ctx.now);
  headers["set-cookie"] = deviceCookie(rememberDevice(ctx.device ?? null, email, ctx.now), deviceDays);
  return ctx;
}

/** By the door that `findOperation` returns for an operation. */
export const pageDoors: Record<PageDoor, AnyDoor> = { member, person, visitor };

/** Responds to one request. Never throws. */
export const handleMemberRequest = byName(memberPath, findOperation, pageDoors);

/**
 * A page says for whom and in which workspace it was opened. Someone else may have signed in since, in another tab:
 * input from this page must not be sent in their name, and their data must not appear in it.
 */
export function refuseChangedSession(
  { header }: Pick<Caller, "header">,
  userId: string,
  organizationId?: string,
): void {
  const [forUser, inWorkspace] = header("x-page-of")?.split(" ") ?? [];
  const isSame =
    (forUser === undefined || forUser === userId) &&
    (inWorkspace === undefined || organizationId === undefined || inWorkspace === organizationId);
  if (isSame) return;
  throw new Refusal(
    "session_changed",
    "Someone else has signed in since, or another workspace was chosen. Nothing was sent. Reload the page.",
  );
}
