/** The workspace's rules, which decide which contracts need whose approval. */
import { change, differences, type Recorder, select } from "#lib/core/change.ts";
import { type Context, own } from "#lib/core/context.ts";
import type { Transaction } from "#lib/core/db.ts";
import { type Issue, invalid, notFound, Refusal } from "#lib/core/errors.ts";
import { newId } from "#lib/core/ids.ts";
import type { Step } from "#lib/required-approvals/evaluate.ts";
import { readRules, type StoredRule } from "#lib/required-approvals/facts.ts";
import { json } from "#lib/required-approvals/open.ts";
import { withPeople } from "./people.ts";
import { type ApprovalRule, type ApprovalRuleUpdate, maxRules, type NewApprovalRule } from "./schema.ts";

export async function listRules(ctx: Context): Promise<{ data: ApprovalRule[] }> {
  return { data: await withApproverNames(ctx, await readRules(ctx)) };
}

async function withApproverNames(ctx: Context, rules: StoredRule[]): Promise<ApprovalRule[]> {
  const name = await withPeople(
    ctx,
    rules.flatMap(({ steps }) => steps),
  );
  return rules.map(({ id, name: called, conditions, steps, updatedAt }) => ({
    ...{ id, name: called, conditions: conditions as ApprovalRule["conditions"] },
    ...{ steps: steps.map(name), updatedAt },
  }));
}

export async function createRule(ctx: Context, input: NewApprovalRule) {
  return change(ctx, async (tx, record) => {
    const rules = await lockRules(tx, ctx);
    if (rules.length >= maxRules) {
      throw new Refusal("conflict", `A workspace can have ${maxRules} approval rules. Delete one first.`);
    }
    await expectApprovers(ctx, input.steps);
    const id = newId("approvalRule");
    const { name, conditions, steps } = input;
    await tx.approvalRule.create({
      data: {
        ...own(ctx),
        ...{ id, name, conditions: json(conditions), steps: json(steps.map(withUniqueApprovers)) },
        ...{ createdAt: ctx.now, updatedAt: ctx.now },
      },
    });
    recordChange(record, id, { rule: { from: null, to: name } });
    return ruleResponse(ctx, id);
  });
}

/**
 * Updates a rule. If its steps change, contracts approved under the old steps and not sent need approval again. With
 * `updatedAt`: only if nobody has saved since then.
 */
export async function updateRule(ctx: Context, { id, updatedAt, ...input }: ApprovalRuleUpdate) {
  return change(ctx, async (tx, record) => {
    const before = ruleById(await lockRules(tx, ctx), id);
    if (updatedAt !== undefined && updatedAt !== before.updatedAt) {
      throw new Refusal("conflict", "Someone else has saved this rule since you opened it. Open it again.");
    }
    const named = new Set(before.steps.flatMap(({ userIds }) => userIds));
    await expectApprovers(ctx, input.steps, named);
    const { name, conditions } = input;
    const steps = input.steps.map(withUniqueApprovers);
    const told = { name: before.name, conditions: before.conditions, steps: before.steps };
    const { changes } = differences<object>(told, { name, conditions, steps });
    if (Object.keys(changes).length > 0) {
      await tx.approvalRule.update({
        where: { organizationId_id: { ...own(ctx), id } },
        data: {
          ...{ name, conditions: json(conditions), steps: json(steps), updatedAt: ctx.now },
          ...("steps" in changes ? { revision: { increment: 1 } } : {}),
        },
      });
      recordChange(record, id, { rule: { from: before.name, to: name }, ...changes });
    }
    return ruleResponse(ctx, id);
  });
}

/** Deletes a rule. Open requests keep the steps that they started with. */
export async function removeRule(ctx: Context, id: string): Promise<void> {
  await change(ctx, async (tx, record) => {
    const { name } = ruleById(await lockRules(tx, ctx), id);
    await tx.approvalRule.delete({ where: { organizationId_id: { ...own(ctx), id } } });
    recordChange(record, id, { rule: { from: name, to: null } });
  });
}

async function ruleResponse(ctx: Context, id: string) {
  const [rule] = await withApproverNames(ctx, [ruleById(await readRules(ctx), id)]);
  return { rule };
}

const withUniqueApprovers = (step: Step): Step => ({ ...step, userIds: [...new Set(step.userIds)] });

/** Reads the rules and locks them until the commit. */
async function lockRules(tx: Transaction, ctx: Context): Promise<StoredRule[]> {
  await tx.$queryRaw`SELECT 1 AS locked FROM organizations WHERE id = ${ctx.organizationId} FOR NO KEY UPDATE`;
  return readRules(ctx);
}

function ruleById(rules: StoredRule[], id: string): StoredRule {
  const rule = rules.find((one) => one.id === id);
  if (!rule) throw notFound("approval rule");
  return rule;
}

/** Refuses newly named people who cannot approve. People who were named before may have left. */
async function expectApprovers(ctx: Context, steps: Step[], before = new Set<string>()): Promise<void> {
  const able = await approversAmong(
    ctx,
    steps.flatMap(({ userIds }) => userIds),
  );
  const issues = steps.flatMap(({ userIds }, step) =>
    userIds.flatMap((id, index): Issue[] =>
      able.has(id) || before.has(id)
        ? []
        : [{ path: `steps.${step}.userIds.${index}`, message: "is not a member who can approve" }],
    ),
  );
  if (issues.length > 0) throw invalid(...issues);
}

/** Returns those of these people who can approve: owners, admins and members of the workspace. */
export async function approversAmong(ctx: Context, userIds: string[]): Promise<Set<string>> {
  const rows = await select<{ id: string }>(
    `SELECT user_id AS id FROM members WHERE organization_id = $1 AND user_id = ANY($2::text[])
       AND removed_at IS NULL AND role <> 'viewer'`,
    [ctx.organizationId, userIds],
  );
  return new Set(rows.map(({ id }) => id));
}

function recordChange(
  record: Recorder,
  id: string,
  changes: Record<string, { from: unknown; to: unknown }>,
): void {
  record({ action: "APPROVAL_RULES_CHANGED", target: { type: "approval_rule", id }, changes });
}
