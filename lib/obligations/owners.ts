/**
 * The job `obligations.catchUp`: writes the contract's owner into obligations from before the database did so itself.
 * Until it is done, lists are correct but slower (filter.ts).
 */
import { changeUnaudited, select } from "#lib/core/change.ts";
import { systemContext } from "#lib/core/context.ts";

/** Per transaction, so that nobody waits more than a moment for the locked rows. */
const batch = 1_000;

export async function writeOwners(): Promise<void> {
  const workspaces = await select<{ id: string }>(
    `SELECT w.id FROM organizations w
     WHERE EXISTS (SELECT FROM obligations o WHERE o.organization_id = w.id AND o.owner_id IS NULL)
     ORDER BY w.id`,
    [],
  );
  for (const { id } of workspaces) {
    let noted: number;
    do noted = await writeSome(id);
    while (noted > 0);
  }
}

/** Skips rows that someone else is changing, without waiting; the next run takes them. */
async function writeSome(organizationId: string): Promise<number> {
  const ctx = systemContext(organizationId, "obligations.catchUp");
  return changeUnaudited(
    ctx,
    (tx) => tx.$executeRaw`
      WITH chosen AS (
        SELECT id FROM obligations WHERE organization_id = ${organizationId} AND owner_id IS NULL
        LIMIT ${batch} FOR UPDATE SKIP LOCKED)
      UPDATE obligations o SET owner_id = c.owner_id FROM chosen, contracts c
      WHERE o.organization_id = ${organizationId} AND o.id = chosen.id
        AND c.organization_id = o.organization_id AND c.id = o.contract_id`,
  );
}
