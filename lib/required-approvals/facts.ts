/** Reads the rules, and the facts about a contract that they depend on. Callers that act on them lock the contract. */
import { select } from "#lib/core/change.ts";
import type { Context } from "#lib/core/context.ts";
import { type Facts, type Requirement, type Rule, requirementOf } from "./evaluate.ts";

export type StoredRule = Rule & { updatedAt: string };

export async function readRules(ctx: Context): Promise<StoredRule[]> {
  return select<StoredRule>(
    `SELECT id, name, revision, conditions, steps, updated_at AS "updatedAt"
     FROM approval_rules WHERE organization_id = $1 ORDER BY id`,
    [ctx.organizationId],
  );
}

export interface Asked extends Requirement {
  /** The version to approve: the given one, or the newest; null if the contract has none. */
  versionId: string | null;
}

type FactsRow = Facts & { versionId: string | null };

/** Returns what a version, or the newest one, requires; null if the contract does not exist. */
export async function requirementFor(
  ctx: Context,
  contractId: string,
  versionId: string | null = null,
): Promise<Asked | null> {
  const rules = await readRules(ctx);
  const [facts] = await select<FactsRow>(
    `SELECT c.type, c.our_role AS "ourRole", c.value_cents::text AS "valueCents", c.value_currency AS "valueCurrency",
       cp.relationship_types AS "relationshipTypes", v.id AS "versionId",
       CASE WHEN c.template_id IS NULL THEN 'NONE'
         WHEN v.id IS NULL OR v.source = 'TEMPLATE' THEN 'SAME' ELSE 'CHANGED' END AS origin
     FROM contracts c
     LEFT JOIN counterparties cp ON cp.organization_id = c.organization_id AND cp.id = c.counterparty_id
     LEFT JOIN LATERAL (SELECT id, source FROM document_versions v WHERE v.organization_id = c.organization_id
       AND v.contract_id = c.id AND ($3::text IS NULL OR v.id = $3) ORDER BY v.version_number DESC LIMIT 1) v ON true
     WHERE c.organization_id = $1 AND c.id = $2`,
    [ctx.organizationId, contractId, versionId],
  );
  if (!facts) return null;
  return { ...requirementOf(rules, facts), versionId: facts.versionId };
}
