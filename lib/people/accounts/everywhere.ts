/** Changes of a person's own account: the log of every workspace that they belong to tells of them. */
import { change } from "#lib/core/change.ts";
import type { Visit } from "#lib/core/context.ts";
import type { Transaction } from "#lib/core/db.ts";
import type { Entry } from "#lib/core/history.ts";
import { atomicHousekeeping } from "#lib/core/housekeeping.ts";
import { listMemberships, type Membership } from "#lib/people/members/memberships.ts";
import { memberContext, type Person } from "#lib/people/users/sessions.ts";

type Known = Omit<Membership, "isCurrent">;

/**
 * Changes the account in one transaction with what the logs say of it. By the change number that goes with an
 * entry, answers that were cached with what was there before are known to be old: `known` are the workspaces
 * whose answers show it, where those are more than the ones that the person is a member of.
 */
export async function changeAccount<T>(
  person: Person,
  visit: Visit,
  entryOf: (membership: Known) => Entry,
  work: (tx: Transaction) => Promise<T>,
  known?: Known[],
): Promise<T> {
  const all: Known[] = known ?? (await listMemberships({ user: person, organizationId: null })).data;
  // In one order, so that two such changes do not wait for each other.
  const memberships = all.toSorted((a, b) => (a.organizationId < b.organizationId ? -1 : 1));
  const [first] = memberships;
  if (!first) return atomicHousekeeping(work);
  return change(memberContext(person, first.organizationId, first.role, visit), async (tx) => {
    const result = await work(tx);
    for (const membership of memberships) {
      const ctx = memberContext(person, membership.organizationId, membership.role, visit);
      await change(ctx, async (_, record) => record(entryOf(membership)));
    }
    return result;
  });
}

/** What the logs say of another password. */
export function passwordChanged({ id }: Person, reason: string | null = null): () => Entry {
  return () => ({ action: "PASSWORD_CHANGED", target: { type: "user", id }, reason });
}
