/** Changes of a person's own account, which the audit logs of all their workspaces record. */
import { change } from "#lib/core/change.ts";
import { systemContext, type Visit } from "#lib/core/context.ts";
import type { Transaction } from "#lib/core/db.ts";
import type { Entry } from "#lib/core/history.ts";
import { atomicHousekeeping } from "#lib/core/housekeeping.ts";
import { listMemberships, type Membership } from "#lib/people/members/memberships.ts";
import { memberContext, type Person } from "#lib/people/users/sessions.ts";

type Known = Omit<Membership, "isCurrent"> & { hasLeft?: boolean };

/**
 * Changes the account and records it in the audit logs, in one transaction. An entry raises a workspace's change
 * number, which invalidates its cached responses. `known`: the workspaces whose responses show the account, if these
 * are more than the ones that the person is a member of.
 */
export async function changeAccount<T>(
  person: Person,
  visit: Visit,
  entryOf: (membership: Known) => Entry,
  work: (tx: Transaction) => Promise<T>,
  known?: Known[],
): Promise<T> {
  const all: Known[] = known ?? (await listMemberships({ user: person, organizationId: null })).data;
  // A fixed order, so that two such changes do not deadlock.
  const memberships = all.toSorted((a, b) => (a.organizationId < b.organizationId ? -1 : 1));
  const [first] = memberships;
  if (!first) return atomicHousekeeping(work);
  // A workspace that the person has left must not learn where they are today.
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

/** The audit log's entry for a new password. */
export function passwordChanged({ id }: Person, reason: string | null = null): () => Entry {
  return () => ({ action: "PASSWORD_CHANGED", target: { type: "user", id }, reason });
}
