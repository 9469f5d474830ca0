/** Adds to steps the names of the people whom they ask, and whether these can still approve. */
import { select } from "#lib/core/change.ts";
import type { Context } from "#lib/core/context.ts";
import type { Step } from "#lib/required-approvals/evaluate.ts";
import type { ApprovalStep } from "./schema.ts";

/** Reads the people of these steps and returns a function that adds them to a step. */
export async function withPeople(ctx: Context, steps: Step[]): Promise<(step: Step) => ApprovalStep> {
  const rows = await select<ApprovalStep["people"][number]>(
    `SELECT u.id, u.name, m.removed_at IS NULL AND m.role <> 'viewer' AS "canApprove"
     FROM members m JOIN users u ON u.id = m.user_id
     WHERE m.organization_id = $1 AND m.user_id = ANY($2::text[])`,
    [ctx.organizationId, [...new Set(steps.flatMap(({ userIds }) => userIds))]],
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ({ needs, role, userIds }) => ({
    needs,
    role: role as ApprovalStep["role"],
    people: userIds.map((id) => byId.get(id) ?? { id, name: "", canApprove: false }),
  });
}
