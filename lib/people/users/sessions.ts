/**
 * Sessions: people's sign-ins. Every request looks up its session, so that whatever ends one (signing out, a new
 * password, a removal, another role) takes effect immediately, on every server.
 */

import { change } from "#lib/core/change.ts";
import { clock } from "#lib/core/clock.ts";
import { asOrganization, type Context, type SignedIn, type Visit } from "#lib/core/context.ts";
import { db, query, type Transaction } from "#lib/core/db.ts";
import { notFound } from "#lib/core/errors.ts";
import { atomicHousekeeping, housekeeping } from "#lib/core/housekeeping.ts";
import { newId } from "#lib/core/ids.ts";
import { type Role, scopesOf } from "#lib/core/scopes.ts";
import { endOtherAccess, expectPassword } from "./access.ts";

export const sessionDays = 30;

/** The person signing in. */
export type Person = { id: string; name: string; email: string };

/** A session as the doors need it, with its workspace's change number. */
export interface FoundSession {
  id: string;
  user: Person;
  lastSeenAt: string;
  passwordConfirmedAt: string | null;
  /** The selected workspace; null if there is none, or if the person has left it. */
  workspace: {
    organizationId: string;
    role: Role;
    subscriptionStatus: string;
    /** As for a key: lib/keys/keys.ts. */
    seq: string;
    hasListeners: boolean;
  } | null;
}

type Row = Omit<FoundSession, "user" | "workspace"> & { userId: string; name: string; email: string } & {
  [K in keyof NonNullable<FoundSession["workspace"]>]: NonNullable<FoundSession["workspace"]>[K] | null;
};

/** Finds a session that is still valid, in one statement. */
export async function findSession(id: string): Promise<FoundSession | undefined> {
  const [row] = await query<Row>(
    `SELECT s.id, s.user_id AS "userId", u.name, u.email, s.last_seen_at AS "lastSeenAt",
       s.password_confirmed_at AS "passwordConfirmedAt",
       m.organization_id AS "organizationId", m.role, o.subscription_status AS "subscriptionStatus", h.seq,
       EXISTS (SELECT 1 FROM webhook_endpoints w WHERE w.organization_id = m.organization_id
         AND w.status = 'ENABLED' AND w.deleted_at IS NULL) AS "hasListeners"
     FROM sessions s
     JOIN users u ON u.id = s.user_id
     LEFT JOIN members m ON m.organization_id = s.organization_id AND m.user_id = s.user_id
       AND m.removed_at IS NULL
     LEFT JOIN organizations o ON o.id = m.organization_id
     LEFT JOIN workspace_heads h ON h.organization_id = m.organization_id
     WHERE s.id = $1 AND s.revoked_at IS NULL AND s.expires_at > now()`,
    [id],
  );
  if (!row) return undefined;
  const { userId, name, email, organizationId, role, subscriptionStatus, seq, hasListeners, ...session } =
    row;
  const workspace =
    organizationId && role && subscriptionStatus && seq
      ? { organizationId, role, subscriptionStatus, seq, hasListeners: hasListeners ?? true }
      : null;
  return { ...session, user: { id: userId, name, email }, workspace };
}

/** Records when a session was last used, at most once a minute. Not a change: the log has what it did. */
export async function recordSeen({ id, lastSeenAt }: FoundSession, visit: Visit): Promise<void> {
  if (visit.now.getTime() - Date.parse(lastSeenAt) < 60_000) return;
  await housekeeping((store) =>
    store.session.updateMany({
      where: { id, revokedAt: null },
      data: { lastSeenAt: visit.now, ip: visit.ip, userAgent: visit.userAgent },
    }),
  );
}

/**
 * Signs in someone who has proved who they are: into the workspace they used last, or else the first one they joined.
 * The sign-in is recorded in that workspace's log.
 */
export async function openSession(
  user: Person,
  visit: Visit,
  /** When they last proved who they are; null if not known to have been just now. */
  confirmedAt: Date | null = visit.now,
  /** The hash of the password they used. */
  passwordHash: string | null = null,
): Promise<string> {
  const membership = await lastUsed(user.id);
  const id = newId("session");
  const data = {
    id,
    userId: user.id,
    organizationId: membership?.organizationId ?? null,
    ...{ ip: visit.ip, userAgent: visit.userAgent },
    ...{ createdAt: visit.now, lastSeenAt: visit.now, passwordConfirmedAt: confirmedAt },
    expiresAt: new Date(visit.now.getTime() + sessionDays * 24 * 60 * 60 * 1000),
  };
  const open = async (tx: Transaction) => {
    if (passwordHash !== null) await expectPassword(tx, { id: user.id, passwordHash });
    await tx.session.create({ data });
  };
  if (!membership) {
    await atomicHousekeeping(open);
    return id;
  }
  const { organizationId, role } = membership;
  await change(memberContext(user, organizationId, role, visit), async (tx, record) => {
    await open(tx);
    record({ action: "USER_SIGNED_IN", target: { type: "user", id: user.id } });
  });
  return id;
}

/** The context of a member who was authenticated without a session: by a password or a mailed link. */
export function memberContext(user: Person, organizationId: string, role: Role, visit: Visit): Context {
  const { requestId, ip, userAgent, now } = visit;
  return {
    organizationId: asOrganization(organizationId),
    actor: { kind: "user", ...user, role },
    scopes: scopesOf[role],
    ...{ requestId, ip, userAgent, now },
    seq: null,
    ifMatch: null,
  };
}

/** The membership of a user's last session, or else the oldest. */
export async function lastUsed(userId: string): Promise<{ organizationId: string; role: Role } | undefined> {
  const [found] = await query<{ organizationId: string; role: Role }>(
    `SELECT m.organization_id AS "organizationId", m.role FROM members m
     WHERE m.user_id = $1 AND m.removed_at IS NULL
     ORDER BY (SELECT max(s.last_seen_at) FROM sessions s
       WHERE s.user_id = m.user_id AND s.organization_id = m.organization_id) DESC NULLS LAST, m.created_at, m.id
     LIMIT 1`,
    [userId],
  );
  return found;
}

/** The valid sessions: the current one first, then by last use. */
export async function listSessions({ user, session, now }: SignedIn) {
  const rows = await db.session.findMany({
    where: { userId: user.id, revokedAt: null, expiresAt: { gt: now } },
    orderBy: [{ lastSeenAt: "desc" }, { id: "desc" }],
  });
  const all = rows.map((row) => ({ ...row, isCurrent: row.id === session.id }));
  return { data: all.sort((a, b) => Number(b.isCurrent) - Number(a.isCurrent)) };
}

/** Ends one of the person's own sessions immediately. */
export async function endSession({ user, now }: SignedIn, { id }: { id: string }): Promise<void> {
  const where = { id, userId: user.id };
  const { count } = await housekeeping((store) =>
    store.session.updateMany({
      where: { ...where, revokedAt: null },
      data: { revokedAt: now },
    }),
  );
  if (count === 0 && !(await db.session.findFirst({ where }))) throw notFound("session");
}

/**
 * Signs out everywhere else. Also ends the calendar feed, because whoever has its address can read it without a
 * session.
 */
export async function endOtherSessions({ user, session, now }: SignedIn): Promise<{ ended: number }> {
  const { sessions } = await endOtherAccess(user, now, session.id);
  return { ended: sessions };
}

/** Signs out; having the cookie is enough. */
export async function signOut(sessionId: string, now = clock()): Promise<void> {
  await housekeeping((store) =>
    store.session.updateMany({
      where: { id: sessionId, revokedAt: null },
      data: { revokedAt: now },
    }),
  );
}

/** Deletes sessions that are no longer useful, and links that were never followed. */
export async function forgetOldSessions(now: Date): Promise<void> {
  const before = new Date(now.getTime() - sessionDays * 24 * 60 * 60 * 1000);
  const where = { expiresAt: { lt: before } };
  await housekeeping(async (store) => {
    await store.session.deleteMany({ where });
    await store.emailToken.deleteMany({ where });
  });
}
