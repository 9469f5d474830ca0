/**
 * Programs' requests to be connected, and people's decisions. A request belongs to the session that opens it first. So
 * an attacker gains nothing by sending someone the URL of a request that the attacker began (mayFinish).
 */
import { select } from "#lib/core/change.ts";
import { clock } from "#lib/core/clock.ts";
import type { Context, SignedIn } from "#lib/core/context.ts";
import { db, type Prisma, type Transaction } from "#lib/core/db.ts";
import { notFound, Refusal } from "#lib/core/errors.ts";
import { housekeeping } from "#lib/core/housekeeping.ts";
import { type AssistantScope, assistantScopes, type Role, type Scope, scopesOf } from "#lib/core/scopes.ts";
import { memberContext } from "#lib/people/users/sessions.ts";
import { artifactHash } from "./artifacts.ts";
import { createGrant } from "./grants.ts";
import { type AssistantPolicy, defaultPolicy } from "./lifecycle.ts";
import { isAllowed } from "./policy.ts";
import type { AssistantApproval, AssistantProgram, AssistantRequest } from "./schema.ts";

/** A request as the authorization server stores it. */
interface Stored {
  returnTo: string;
  params: { client_id: string; scope: string };
  prompt: { details: { program: AssistantProgram } };
  result?: { consent?: object; error?: string };
}

interface ConsentRequest extends Stored {
  isDecided: boolean;
  where: { hash: Uint8Array<ArrayBuffer>; kind: string; sessionId: string; consumedAt: null };
}

/** Returns what a program asks for, and the workspaces in which the person could allow it. */
export async function openRequest(
  person: SignedIn,
  { request }: { request: string },
): Promise<{ request: AssistantRequest }> {
  await housekeeping((store) =>
    store.assistantArtifact.updateMany({
      where: { hash: artifactHash(request), kind: "Interaction", sessionId: null },
      data: { sessionId: person.session.id },
    }),
  );
  const asked = await findRequest(person, request);
  if (asked.isDecided) throw decided();
  const scopes = requestedScopes(asked);
  const workspaces = (await workspacesOf(person)).map(({ subscriptionStatus: _, ...place }) => ({
    ...place,
    isCurrent: place.organizationId === person.organizationId,
    scopes: scopes.filter((scope) => isOpen(place, scope)),
  }));
  return { request: { program: asked.prompt.details.program, scopes, workspaces } };
}

/** Connects the program, with those of the requested scopes that the person allows. */
export async function approveRequest(
  person: SignedIn,
  { request, organizationId, scopes }: AssistantApproval,
): Promise<{ returnTo: string }> {
  const asked = await findRequest(person, request);
  if (asked.isDecided) return sameAnswer(asked, asked.result?.consent !== undefined);
  const place = (await workspacesOf(person)).find((one) => one.organizationId === organizationId);
  if (!place) throw notFound("workspace");
  expectAllowedScopes(place, requestedScopes(asked), scopes);
  const { user } = person;
  const ctx: Context = memberContext(user, organizationId, place.role, person);
  const grant = {
    userId: user.id,
    clientId: asked.params.client_id,
    program: asked.prompt.details.program,
    scopes: assistantScopes.filter((scope) => scopes.includes(scope)),
  };
  await createGrant(ctx, grant, (tx, grantId) =>
    storeDecision(tx, asked, { login: { accountId: user.id, remember: false }, consent: { grantId } }),
  );
  return { returnTo: asked.returnTo };
}

/** Refuses the request, and lets the program know. */
export async function refuseRequest(
  person: SignedIn,
  { request }: { request: string },
): Promise<{ returnTo: string }> {
  const asked = await findRequest(person, request);
  if (asked.isDecided) return sameAnswer(asked, asked.result?.error !== undefined);
  const result = { error: "access_denied", error_description: "The person did not allow it." };
  await housekeeping((store) => storeDecision(store, asked, result));
  return { returnTo: asked.returnTo };
}

/** Whether a browser may take the decision to the program: only the one in which it was made. */
export async function mayFinish(request: string, sessionId: string | null): Promise<boolean> {
  if (sessionId === null) return false;
  const where = { hash: artifactHash(request), kind: "Interaction", sessionId };
  return (await db.assistantArtifact.findFirst({ where, select: { kind: true } })) !== null;
}

async function findRequest({ session, now }: SignedIn, request: string): Promise<ConsentRequest> {
  const hash = artifactHash(request);
  const row = await db.assistantArtifact.findFirst({
    where: { hash, kind: "Interaction", expiresAt: { gt: now } },
  });
  if (!row) throw new Refusal("not_found", `This request no longer exists. ${again}`);
  if (row.sessionId !== session.id) {
    throw new Refusal("conflict", `This request was opened in another sign-in. ${again}`);
  }
  const where = { hash, kind: "Interaction", sessionId: session.id, consumedAt: null };
  return { ...(row.payload as unknown as Stored), isDecided: row.consumedAt !== null, where };
}

/** Accepts the same decision again, since the first response may have been lost. */
function sameAnswer({ returnTo }: Stored, isSame: boolean): { returnTo: string } {
  if (!isSame) throw decided();
  return { returnTo };
}

const again = "Connect again from the assistant.";
const decided = () => new Refusal("conflict", `This request has been answered. ${again}`);

/** Stores the decision. Of concurrent decisions, only one counts. */
async function storeDecision(
  store: Transaction,
  { where, isDecided: _, ...payload }: ConsentRequest,
  result: Prisma.InputJsonObject,
): Promise<void> {
  const data = {
    payload: { ...payload, result } as unknown as Prisma.InputJsonObject,
    consumedAt: clock(),
  };
  const { count } = await store.assistantArtifact.updateMany({ where, data });
  if (count === 0) throw decided();
}

/** Returns the requested scopes in display order. */
function requestedScopes({ params }: Stored): AssistantScope[] {
  const named = new Set(params.scope.split(" "));
  return assistantScopes.filter((scope) => named.has(scope));
}

/** A workspace of the person who decides. */
interface Place {
  organizationId: string;
  name: string;
  role: Role;
  policy: AssistantPolicy;
  subscriptionStatus: string;
}

const workspacesOf = ({ user }: SignedIn): Promise<Place[]> =>
  select<Place>(
    `SELECT m.organization_id AS "organizationId", o.name, m.role, COALESCE(p.policy, $2) AS policy,
       o.subscription_status AS "subscriptionStatus"
     FROM members m JOIN organizations o ON o.id = m.organization_id
     LEFT JOIN assistant_policies p ON p.organization_id = m.organization_id
     WHERE m.user_id = $1 AND m.removed_at IS NULL ORDER BY lower(o.name), o.id`,
    [user.id, defaultPolicy],
  );

const isOpen = ({ role, policy }: Pick<Place, "role" | "policy">, scope: Scope) =>
  scopesOf[role].includes(scope) && isAllowed(policy, scope);

function expectAllowedScopes(place: Place, asked: AssistantScope[], scopes: AssistantScope[]): void {
  if (place.subscriptionStatus !== "active") {
    throw new Refusal("subscription_inactive", "The workspace's subscription is not active.");
  }
  if (place.policy === "off") {
    throw new Refusal(
      "forbidden",
      `${place.name} does not allow assistants. An owner or admin can change that.`,
    );
  }
  const beyond = scopes.filter((scope) => !asked.includes(scope) || !isOpen(place, scope));
  if (beyond.length > 0) {
    throw new Refusal(
      "forbidden",
      "Your role or the workspace's settings do not allow all of this. Reload the page.",
    );
  }
}
