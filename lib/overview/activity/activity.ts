/**
 * A contract's activity, for everyone who may read the contract. It comes from the audit log, without the parts for
 * admins only: IP addresses, browsers and request ids.
 */
import { cursorAt, seqOf } from "#lib/audit/feed.ts";
import type { AuditAction } from "#lib/audit/lifecycle.ts";
import { select } from "#lib/core/change.ts";
import type { Context } from "#lib/core/context.ts";
import { notFound } from "#lib/core/errors.ts";
import { customFieldsOf } from "#lib/custom-fields/custom-fields.ts";
import type { ActivityTopic } from "./catalogue.ts";
import type { ActivityQuery } from "./schema.ts";
import { type Changes, describeChanges, type Names, namedIds } from "./words.ts";

interface Row {
  seq: string;
  id: string;
  action: AuditAction;
  createdAt: string;
  userName: string | null;
  keyName: string | null;
  assistantName: string | null;
  actorKind: string | null;
  signerName: string | null;
  changes: string | null;
  reason: string | null;
}

export async function listActivity(ctx: Context, { id, about, limit, cursor }: ActivityQuery) {
  const [contract] = await select<{ valueCurrency: string | null }>(
    `SELECT value_currency AS "valueCurrency" FROM contracts WHERE organization_id = $1 AND id = $2`,
    [ctx.organizationId, id],
  );
  if (!contract) throw notFound("contract");
  const before = cursor === undefined ? null : seqOf(ctx, cursor);
  const rows = await read(ctx, { contractId: id, about, count: limit + 1, before });
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  const changes = shown.map((row): Changes => (row.changes ? JSON.parse(row.changes) : {}));
  const [names, fieldNames, currencyAt] = await Promise.all([
    namesOf(ctx, changes),
    fieldNamesOf(ctx, changes),
    currenciesOf(ctx, id, contract.valueCurrency, changes),
  ]);
  return {
    data: shown.map((row, index) => ({
      id: row.id,
      action: row.action,
      createdAt: row.createdAt,
      by: actorOf(row),
      changes: describeChanges(changes[index]!, { names, fieldNames, currency: currencyAt(Number(row.seq)) }),
      reason: row.reason,
    })),
    nextCursor: last ? cursorAt(ctx, Number(last.seq)) : null,
  };
}

/** The prefixes of the actions about each topic, as LIKE patterns. */
const actionsAbout: Record<ActivityTopic, string> = {
  contract: "CONTRACT\\_%",
  documents: "VERSION\\_%",
  obligations: "OBLIGATION\\_%",
  signatures: "SIGNATURE\\_%",
  comments: "COMMENT\\_%",
  approvals: "APPROVAL\\_%",
};

interface Asked extends Pick<ActivityQuery, "about"> {
  contractId: string;
  count: number;
  before: number | null;
}

/** The audit log has the signer's name, except in entries from before it was recorded. */
async function read(ctx: Context, { contractId, about, count, before }: Asked): Promise<Row[]> {
  return select<Row>(
    `SELECT e.seq, e.id, e.action, e.created_at AS "createdAt", e.actor_name AS "userName",
       e.api_key_name AS "keyName", e.payload -> 'actor' ->> 'kind' AS "actorKind",
       e.payload -> 'assistant' ->> 'name' AS "assistantName",
       COALESCE(e.payload -> 'actor' ->> 'name', s.name) AS "signerName",
       NULLIF((e.payload -> 'changes')::text, 'null') AS changes, e.payload ->> 'reason' AS reason
     FROM audit_events e
     LEFT JOIN signers s ON s.organization_id = e.organization_id AND s.id = e.payload -> 'actor' ->> 'id'
     WHERE e.organization_id = $1 AND e.contract_id = $2 AND ($3::bigint IS NULL OR e.seq < $3::bigint)
       AND ($5::text[] IS NULL OR e.action LIKE ANY ($5::text[]))
     ORDER BY e.seq DESC LIMIT $4::int`,
    [ctx.organizationId, contractId, before, count, about?.map((topic) => actionsAbout[topic]) ?? null],
  );
}

function actorOf({ userName, keyName, actorKind, signerName, assistantName: assistant }: Row) {
  if (userName !== null) return { kind: "USER" as const, name: userName, assistant };
  if (keyName !== null) return { kind: "API_KEY" as const, name: keyName, assistant: null };
  if (actorKind === "SIGNER") return { kind: "SIGNER" as const, name: signerName, assistant: null };
  return { kind: "SYSTEM" as const, name: null, assistant: null };
}

/** Returns the names of the people and counterparties whose ids appear in the changes. */
async function namesOf(ctx: Context, changes: Changes[]): Promise<Names> {
  const ids = [...new Set(changes.flatMap(namedIds))];
  if (ids.length === 0) return new Map();
  const rows = await select<{ id: string; name: string }>(
    `SELECT u.id, u.name FROM users u JOIN members m ON m.user_id = u.id
     WHERE m.organization_id = $1 AND u.id = ANY($2::text[])
     UNION ALL SELECT id, name FROM counterparties WHERE organization_id = $1 AND id = ANY($2::text[])`,
    [ctx.organizationId, ids],
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Returns the names of custom fields by key, if a custom field changed. */
async function fieldNamesOf(ctx: Context, changes: Changes[]): Promise<Names> {
  if (!changes.some((fields) => "customFields" in fields)) return new Map();
  return new Map((await customFieldsOf(ctx)).map(({ key, name }) => [key, name]));
}

/**
 * Returns the currency of a contract's value right after an event: the old value of the next change, or else the
 * present one.
 */
async function currenciesOf(ctx: Context, contractId: string, now: string | null, changes: Changes[]) {
  if (!changes.some((fields) => "valueCents" in fields)) return () => now;
  const moves = await select<{ seq: string; from: string | null }>(
    `SELECT seq, payload -> 'changes' -> 'valueCurrency' ->> 'from' AS "from" FROM audit_events
     WHERE organization_id = $1 AND contract_id = $2
       AND payload -> 'target' ->> 'type' = 'contract' AND payload -> 'changes' -> 'valueCurrency' IS NOT NULL
     ORDER BY seq`,
    [ctx.organizationId, contractId],
  );
  return (seq: number) => {
    const next = moves.find((move) => Number(move.seq) > seq);
    return next ? next.from : now;
  };
}
