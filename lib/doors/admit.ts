/** The doors: how a request proves which workspace it may access. Nothing else creates an OrganizationId. */

import "#lib/events/listen.ts";
import type { FoundGrant } from "#lib/assistants/tokens.ts";
import { asOrganization, type Context, type SignedIn, type Visit, type Visitor } from "#lib/core/context.ts";
import { Refusal } from "#lib/core/errors.ts";
import { log } from "#lib/core/log.ts";
import { scopesOf } from "#lib/core/scopes.ts";
import type { Admission } from "#lib/http/door.ts";
import type { Caller } from "#lib/http/exchange.ts";
import { findKey, recordUse } from "#lib/keys/keys.ts";
import { isWellFormedKey } from "#lib/keys/secret.ts";
import { countCall } from "#lib/keys/usage.ts";
import { type FoundSession, findSession, recordSeen } from "#lib/people/users/sessions.ts";
import { findVisit, openVisit } from "#lib/signatures/sign/sessions.ts";
import { readDeviceCookie, readSessionCookie } from "./session-cookie.ts";
import { readSignerCookie } from "./signer-cookie.ts";

const notThisKey = () =>
  new Refusal("invalid_api_key", "The API key is not valid: it is mistyped, expired or revoked.");

/** The door for programs: the x-api-key header. */
export async function admitKey(caller: Caller): Promise<Admission<Context>> {
  const key = caller.header("x-api-key")?.trim();
  if (!key) {
    throw new Refusal("missing_api_key", "Send an API key in the header x-api-key.");
  }
  return admitByKey(caller, key);
}

/** The same for a key sent in another header. */
export async function admitByKey(caller: Caller, key: string): Promise<Admission<Context>> {
  const found = isWellFormedKey(key) ? await findKey(key) : undefined;
  if (!found?.usable) throw notThisKey();
  // Nothing waits for this, and a failure costs one minute of "last used".
  recordUse(found, caller.now).catch((error) =>
    log().warn({ error: error.message }, "the last use could not be recorded"),
  );
  const ctx: Context = {
    organizationId: asOrganization(found.organizationId),
    actor: { kind: "api_key", id: found.id, name: found.name },
    scopes: found.scopes,
    ...visitOf(caller),
    seq: Number(found.seq),
    ifMatch:
      caller.method === "PATCH" || caller.method === "PUT" ? (caller.header("if-match") ?? null) : null,
    hasListeners: found.hasListeners,
  };
  return {
    ctx,
    subscriptionStatus: found.subscriptionStatus,
    count: (route, isRefused) => countCall(ctx, route, caller.now, isRefused),
  };
}

/** The door for assistants connected by a member: the member acts through the program, within what was granted. */
export function admitGrant(caller: Caller, grant: FoundGrant): Admission<Context> {
  const { id, client, user, role, organizationId, scopes, seq, hasListeners, subscriptionStatus } = grant;
  const ctx: Context = {
    organizationId,
    actor: { kind: "user", ...user, role },
    assistant: { id, name: client.name },
    scopes,
    ...visitOf(caller),
    seq,
    ifMatch: null,
    hasListeners,
  };
  return { ctx, subscriptionStatus };
}

/** Where a request comes from. */
export function visitOf({ header, requestId, ip, now, gone }: Caller): Visit {
  const userAgent = header("user-agent")?.slice(0, 500) ?? null;
  return { requestId, ip, userAgent, now, gone, device: readDeviceCookie(header("cookie")) };
}

/** The door for everyone; a signed-in person is recognized. */
export async function admitVisitor(caller: Caller): Promise<Visitor> {
  const found = await sessionOf(caller);
  return { ...visitOf(caller), signedIn: found ? signedIn(found, caller) : null };
}

/** The door for a person's own account, whichever workspace they are in. */
export async function admitPerson(caller: Caller): Promise<SignedIn> {
  return signedIn(await requireSession(caller), caller);
}

/** The door for members: the session's cookie, and the workspace chosen in the session. */
export async function admitMember(caller: Caller): Promise<Admission<Context>> {
  const found = await requireSession(caller);
  const { workspace, user } = found;
  if (!workspace) {
    throw new Refusal("no_workspace", "You are no longer a member of this workspace. Choose another one.");
  }
  const ctx: Context = {
    organizationId: asOrganization(workspace.organizationId),
    actor: { kind: "user", ...user, role: workspace.role },
    scopes: scopesOf[workspace.role],
    ...visitOf(caller),
    session: sessionFrom(found),
    seq: Number(workspace.seq),
    ifMatch: null,
    hasListeners: workspace.hasListeners,
  };
  return { ctx, subscriptionStatus: workspace.subscriptionStatus };
}

async function requireSession(caller: Caller): Promise<FoundSession> {
  const found = await sessionOf(caller);
  if (!found)
    throw new Refusal("signed_out", "You are not signed in, or your session has ended. Sign in again.");
  return found;
}

const sessions = new WeakMap<Caller, Promise<FoundSession | undefined>>();

/** The session of the request's cookie, if it is still valid: looked up once, however many doors a page uses. */
function sessionOf(caller: Caller): Promise<FoundSession | undefined> {
  const known = sessions.get(caller) ?? lookUpSession(caller);
  sessions.set(caller, known);
  // A failed lookup can be repeated.
  known.catch(() => sessions.delete(caller));
  return known;
}

async function lookUpSession(caller: Caller): Promise<FoundSession | undefined> {
  const id = await readSessionCookie(caller.header("cookie"));
  const found = id === null ? undefined : await findSession(id);
  if (found) {
    // As with keys: nothing waits for this.
    recordSeen(found, visitOf(caller)).catch((error) =>
      log().warn({ error: error.message }, "the last use could not be recorded"),
    );
  }
  return found;
}

function signedIn(found: FoundSession, caller: Caller): SignedIn {
  const { user, workspace } = found;
  const organizationId = workspace && asOrganization(workspace.organizationId);
  return { ...visitOf(caller), user, session: sessionFrom(found), organizationId };
}

function sessionFrom({ id, passwordConfirmedAt }: FoundSession) {
  return { id, passwordConfirmedAt: passwordConfirmedAt === null ? null : new Date(passwordConfirmedAt) };
}

/** The door for signers: the cookie of a visit that a link started. A browser may have several, one for each signer. */
export async function admitSigner(caller: Caller, signerId: string): Promise<Context> {
  const cookie = readSignerCookie(caller.header("cookie"), signerId);
  if (!cookie)
    throw new Refusal("forbidden", "Your session has ended. Open the link in your latest e-mail again.");
  return findVisit(signerId, cookie, visitOf(caller));
}

/** The same door with a link's token, which starts a visit; `cookie` is for the browser to keep. */
export async function admitByLink(caller: Caller, token: string): Promise<{ ctx: Context; cookie: string }> {
  return openVisit(token, visitOf(caller));
}
