/** Changes of a person's own account: the log of every workspace that they belong to tells of them. */
import { change } from "#lib/core/change.ts";
import { systemContext, type Visit } from "#lib/core/context.ts";
import type { Transaction } from "#lib/core/db.ts";
import type { Entry } from "#lib/core/history.ts";
import { atomicHousekeeping } from "#lib/core/housekeeping.ts";
import { listMemberships, type Membership } from "#lib/people/members/memberships.ts";
import { memberContext, type Person } from "#lib/people/users/sessions.ts";

type Known = Omit<Membership, "isCurrent"> & { hasLeft?: boolean };

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
  // Where someone is today is nothing that a workspace they left has to know.
  const contextIn = ({ organizationId, role, hasLeft }: Known) =>
    hasLeft
      ? systemContext(organizationId, "accounts", visit.now)
      : memberContext(person, organizationId, role, visit);
  return change(contextIn(first), async (tx) => {
    const result = await work(tx);
    for (const membership of memberships) {
      await change(contextIn(membership), async (_, record) => record(entryOf(membership)));
    }
    return result;
  });
}

/** What the logs say of another password. */
export function passwordChanged({ id }: Person, reason: string | null = null): () => Entry {
  return () => ({ action: "PASSWORD_CHANGED", target: { type: "user", id }, reason });
}
