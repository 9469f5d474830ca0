/** Who is responsible for an obligation: its assignee, or else the contract's owner. */
import { select } from "#lib/core/change.ts";
import type { Context } from "#lib/core/context.ts";
import type { Transaction } from "#lib/core/db.ts";
import { type Issue, invalid } from "#lib/core/errors.ts";
import type { ObligationRow } from "./rows.ts";

export interface Assignee {
  id: string;
  name: string;
  email: string;
}

export type Assigned<Row> = Row & { assignee: Assignee };

/** Adds the assignee to each row. */
export async function withAssignees<Row extends Pick<ObligationRow, "id">>(
  ctx: Context,
  rows: Row[],
): Promise<Assigned<Row>[]> {
  if (rows.length === 0) return [];
  const found = await select<Assignee & { obligationId: string }>(
    `SELECT o.id AS "obligationId", u.id, u.name, u.email
     FROM obligations o
     JOIN contracts c ON c.organization_id = o.organization_id AND c.id = o.contract_id
     JOIN users u ON u.id = COALESCE(o.assignee_id, c.owner_id)
     WHERE o.organization_id = $1 AND o.id = ANY($2::text[])`,
    [ctx.organizationId, rows.map(({ id }) => id)],
  );
  const byId = new Map(found.map(({ obligationId, ...assignee }) => [obligationId, assignee]));
  return rows.flatMap((row) => {
    const assignee = byId.get(row.id);
    return assignee ? [{ ...row, assignee }] : [];
  });
}

export async function withAssignee<Row extends Pick<ObligationRow, "id">>(
  ctx: Context,
  row: Row,
): Promise<Assigned<Row>> {
  const [assigned] = await withAssignees(ctx, [row]);
  if (!assigned) throw new Error(`The obligation ${row.id} is gone.`);
  return assigned;
}

/** Throws unless the user is a member; locks the membership until the transaction ends. */
export async function requireMember(tx: Transaction, ctx: Context, userId: string): Promise<void> {
  const issues = await assigneeIssues(tx, ctx, userId);
  if (issues.length > 0) throw invalid(...issues);
}

/** Problems with an assignee; none if there is no assignee. */
export async function assigneeIssues(tx: Transaction, ctx: Context, userId: string | null): Promise<Issue[]> {
  if (userId === null) return [];
  const found = await tx.$queryRaw<unknown[]>`SELECT 1 FROM members
    WHERE organization_id = ${ctx.organizationId} AND user_id = ${userId} AND removed_at IS NULL FOR SHARE`;
  if (found.length > 0) return [];
  return [{ path: "assigneeId", message: "is not the userId of an active member of this workspace" }];
}

/**
 * The value of `assigneeTold` after an assignment: members who assign something to themselves need no notification.
 */
export function assigneeToldAfter(
  { actor }: Context,
  assigneeId: string | null,
  before: string | null = null,
): string | null {
  return actor.kind === "user" && actor.id === assigneeId ? assigneeId : before;
}
