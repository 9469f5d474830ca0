/** Hands over the approvals of a leaving member: the rules and open requests that name them name someone else. */
import { change, select } from "#lib/core/change.ts";
import { type Context, own } from "#lib/core/context.ts";
import type { Step } from "#lib/required-approvals/evaluate.ts";
import { readRules } from "#lib/required-approvals/facts.ts";
import { json } from "#lib/required-approvals/open.ts";

const openWith = `FROM approvals WHERE organization_id = $1 AND outcome IS NULL
  AND (requested_by_id = $2 OR $2 = ANY(asked_ids) OR steps @> jsonb_build_array(
    jsonb_build_object('userIds', jsonb_build_array($2::text))))`;

/** Counts the open requests that name someone or that they made, and the rules that name them. */
export async function countApprovalsOf(ctx: Context, userId: string): Promise<number> {
  const [open] = await select<{ count: number }>(`SELECT count(*)::int AS count ${openWith}`, [
    ctx.organizationId,
    userId,
  ]);
  return (open?.count ?? 0) + (await rulesNaming(ctx, userId)).length;
}

async function rulesNaming(ctx: Context, userId: string) {
  return (await readRules(ctx)).filter(({ steps }) => steps.some(({ userIds }) => userIds.includes(userId)));
}

/** Hands over up to `take` open requests, and all rules. Returns how many of both it handed over. */
export async function handOverApprovals(ctx: Context, from: string, to: string, take: number) {
  const instead = (ids: string[]) => [...new Set(ids.map((id) => (id === from ? to : id)))];
  const stepsInstead = (steps: Step[]) =>
    json(steps.map((step) => ({ ...step, userIds: instead(step.userIds) })));
  return change(ctx, async (tx, record) => {
    const rules = await rulesNaming(ctx, from);
    for (const { id, name, steps } of rules) {
      // The revision stays the same, so that what was approved under the rule stays approved.
      await tx.approvalRule.update({
        where: { organizationId_id: { ...own(ctx), id } },
        data: { steps: stepsInstead(steps), updatedAt: ctx.now },
      });
      const changes = { rule: { from: name, to: name }, approverId: { from, to } };
      record({ action: "APPROVAL_RULES_CHANGED", target: { type: "approval_rule", id }, changes });
    }
    const open = await select<{ id: string; contractId: string; title: string; steps: Step[] }>(
      `SELECT a.id, a.contract_id AS "contractId", c.title, a.steps
       FROM approvals a JOIN contracts c ON c.organization_id = a.organization_id AND c.id = a.contract_id
       WHERE a.organization_id = $1 AND a.id IN (SELECT id ${openWith} ORDER BY id LIMIT $3::int) FOR UPDATE OF a`,
      [ctx.organizationId, from, take],
    );
    for (const { id, contractId, title, steps } of open) {
      const { askedIds, requestedById, step } = await tx.approval.findUniqueOrThrow({
        where: { organizationId_id: { ...own(ctx), id } },
      });
      await tx.approval.update({
        where: { organizationId_id: { ...own(ctx), id } },
        data: {
          steps: stepsInstead(steps),
          askedIds: instead(askedIds),
          requestedById: requestedById === from ? to : requestedById,
          ...(askedIds.includes(from) ? { askedSince: ctx.now } : {}),
        },
      });
      const isAskedYet =
        askedIds.includes(from) || steps.slice(step + 1).some(({ userIds }) => userIds.includes(from));
      const changes = { [isAskedYet ? "approverId" : "requestedById"]: { from, to } };
      const target = { type: "approval", id };
      record({ action: "APPROVAL_DELEGATED", target, contract: { id: contractId, title }, changes });
    }
    return rules.length + open.length;
  });
}
