/** The requests that people make of lists, each with a limit, and the bare SQL that reads the same. */
import { requestText } from "./http-client.ts";
import type { Seeded } from "./seed.ts";
import { scatter } from "./seed-rows.ts";

export interface ListRequest {
  name: string;
  limitMs: number;
  next(): string;
  /** Statements as one would write them without counters; the first parameter is the workspace. */
  bare: { text: string; values: unknown[] }[];
}

/** Limits in milliseconds, for a single filter or sort and for anything else. */
const single = 40;
const combined = 150;
/** The limit in a workspace of 1,000 contracts. */
export const smallLimitMs = 15;
const usPerRow = 20;

let count = 0;
/** A parameter that the API ignores, so that no response comes from a cache. */
const unlike = () => `unlike=${(count++).toString(36)}`;
/** One of the first hundred pages. */
const page = () => 1 + scatter(count, 100);

export interface Asking {
  workspace: Seeded;
  contracts: number;
  cookie: string;
  port: number;
}

export function listRequests(asking: Asking): ListRequest[] {
  const { userIds, counterpartyIds } = asking.workspace;
  const list = (query: string, limitMs: number, where = "true", sort = "last_activity_at DESC") =>
    contractList(asking, { query, limitMs, where, sort });
  const last = Math.floor(asking.contracts / 50);
  return [
    list("", single),
    list("status=ACTIVE", single, "status = 'ACTIVE'"),
    list("status=DRAFT&status=APPROVED", single, "status IN ('DRAFT', 'APPROVED')"),
    list("type=NDA", single, "type = 'NDA'"),
    list("ourRole=TENANT", single, "our_role = 'TENANT'"),
    list("valueCurrency=EUR", single, "value_currency = 'EUR'"),
    list("autoRenews=true", single, "auto_renews"),
    list(`ownerId=${userIds[3]}`, single, `owner_id = '${userIds[3]}'`),
    list(`counterpartyId=${counterpartyIds[3]}`, single, `counterparty_id = '${counterpartyIds[3]}'`),
    list("effectiveFrom=2026-01-01", single, "effective_date >= '2026-01-01'"),
    list("effectiveTo=2023-01-01", single, "effective_date < '2023-01-02'"),
    list("expiresTo=2026-06-01", single, "expires_at <= '2026-06-01'"),
    list("expiresTo=2024-06-01", single, "expires_at <= '2024-06-01'"),
    list("archived=any", single),
    ...sorts(list),
    list("status=ACTIVE&sort=expiresAt", combined, "status = 'ACTIVE'", "expires_at DESC NULLS LAST"),
    list(
      "type=NDA&ourRole=TENANT&sort=title",
      combined,
      "type = 'NDA' AND our_role = 'TENANT'",
      "lower(title) DESC",
    ),
    list(
      "status=ACTIVE&expiresFrom=2027-01-01&expiresTo=2027-12-31&sort=expiresAt&dir=asc",
      combined,
      "status = 'ACTIVE' AND expires_at BETWEEN '2027-01-01' AND '2027-12-31'",
      "expires_at ASC NULLS LAST",
    ),
    list(`q=services`, combined, named("services")),
    list(`q=harbor`, combined, named("harbor")),
    list("q=harbor&expiresFrom=2027-01-01", combined, `${named("harbor")} AND expires_at >= '2027-01-01'`),
    list("q=harbor&archived=any", combined, named("harbor")),
    list(`q=zzz`, combined, named("zzz")),
    list(`q=a`, combined, beginning("a")),
    list(`q=se`, combined, beginning("se")),
    list(`q=am`, combined, beginning("am")),
    list(`page=${Math.floor(last / 2)}`, combined),
    list(`page=${Math.floor(last * 0.45)}&sort=title&dir=asc`, combined, "true", "lower(title) ASC"),
    list(`page=${Math.floor(last * 0.45)}&sort=valueCents`, combined, "true", "value_cents DESC NULLS LAST"),
    ...others(asking),
  ].map((request) => (asking.contracts <= 1000 ? { ...request, limitMs: smallLimitMs } : request));
}

type List = (query: string, limitMs: number, where?: string, sort?: string) => ListRequest;

const columns = {
  createdAt: "created_at",
  updatedAt: "updated_at",
  title: "lower(title)",
  effectiveDate: "effective_date",
  executedAt: "executed_at",
  expiresAt: "expires_at",
  statusChangedAt: "status_changed_at",
  valueCents: "value_cents",
};

const sorts = (list: List) =>
  Object.entries(columns).flatMap(([sort, column]) =>
    ["desc", "asc"].map((dir) =>
      list(`sort=${sort}&dir=${dir}`, single, "true", `${column} ${dir} NULLS LAST`),
    ),
  );

const named = (q: string) => `(title ILIKE '%${q}%' OR counterparty_id IN (
  SELECT id FROM counterparties WHERE organization_id = $1 AND name ILIKE '%${q}%'))`;
const beginning = (q: string) => `(title ~* '\\m${q}' OR counterparty_id IN (
  SELECT id FROM counterparties WHERE organization_id = $1 AND name ~* '\\m${q}'))`;

function contractList(
  { workspace }: Asking,
  { query, limitMs, where, sort }: { query: string; limitMs: number; where: string; sort: string },
): ListRequest {
  const { organizationId, key } = workspace;
  const isPaged = query.includes("page=");
  const next = () =>
    requestText(
      "GET",
      `/contracts?${[query, isPaged ? "" : `page=${page()}`, unlike()].filter(Boolean).join("&")}`,
      key,
    );
  const dir = / ASC\b/i.test(sort) ? "ASC" : "DESC";
  const offset = (Number(/page=(\d+)/.exec(query)?.[1] ?? 50) - 1) * 50;
  return {
    name: query || "(all)",
    limitMs,
    next,
    bare: [
      {
        text: `SELECT c.*, cp.name, u.name, u.email FROM contracts c
          LEFT JOIN counterparties cp ON cp.organization_id = c.organization_id AND cp.id = c.counterparty_id
          JOIN users u ON u.id = c.owner_id
          JOIN (SELECT id FROM contracts WHERE organization_id = $1 AND ${where}
            ORDER BY ${sort}, id ${dir} LIMIT 50 OFFSET ${offset}) page ON c.organization_id = $1 AND c.id = page.id`,
        values: [organizationId],
      },
      {
        text: `SELECT count(*) FROM contracts WHERE organization_id = $1 AND ${where}`,
        values: [organizationId],
      },
    ],
  };
}

/** Requests for anything other than lists of contracts. */
function others({ workspace, cookie, port }: Asking): ListRequest[] {
  const { organizationId, key, counterpartyIds, userIds } = workspace;
  const get = (name: string, path: string, limitMs: number, sql: string): ListRequest => ({
    ...{ name, limitMs, bare: [{ text: sql, values: [organizationId] }] },
    next: () => requestText("GET", `${path}${path.includes("?") ? "&" : "?"}${unlike()}`, key),
  });
  const call = (name: string, operation: string, body: object, sql: string): ListRequest => ({
    ...{ name, limitMs: combined, bare: [{ text: sql, values: [organizationId] }] },
    next: () => memberText(operation, body, cookie, port),
  });
  const own = "WHERE organization_id = $1";
  return [
    get(
      "counterparties",
      "/counterparties",
      Math.max(single, (counterpartyIds.length * usPerRow) / 1000),
      `SELECT cp.*, (SELECT count(*) FROM contracts c WHERE c.organization_id = cp.organization_id
         AND c.counterparty_id = cp.id) FROM counterparties cp ${own}`,
    ),
    get(
      "analytics",
      "/analytics/summary",
      combined,
      `SELECT status, type, value_currency, count(*), sum(value_cents) FROM contracts ${own}
       GROUP BY GROUPING SETS ((status), (type), (status, value_currency))`,
    ),
    ...[
      ["obligations", "state <> 'SUGGESTED'"],
      ["obligations?kind=AUDIT", "state <> 'SUGGESTED' AND kind = 'AUDIT'"],
    ].map(([name, where]) =>
      get(
        name!,
        `/${name}`,
        single,
        `SELECT *, count(*) OVER () FROM obligations ${own} AND NOT archived AND ${where} ORDER BY resolved_date, id LIMIT 25`,
      ),
    ),
    get(
      "obligations?assigneeId",
      `/obligations?assigneeId=${userIds[2]}`,
      single,
      `SELECT o.*, count(*) OVER () FROM obligations o
         JOIN contracts c ON c.organization_id = o.organization_id AND c.id = o.contract_id
         WHERE o.organization_id = $1 AND NOT o.archived AND o.state <> 'SUGGESTED'
           AND COALESCE(o.assignee_id, c.owner_id) = '${userIds[2]}' ORDER BY o.resolved_date, o.id LIMIT 25`,
    ),
    get(
      "obligations?status=DUE",
      "/obligations?status=DUE",
      combined,
      `SELECT *, count(*) OVER () FROM obligations ${own} AND state = 'OPEN'
         AND resolved_date BETWEEN current_date AND current_date + 30 ORDER BY resolved_date, id LIMIT 50`,
    ),
    get(
      "obligations?q=insurance",
      "/obligations?q=insurance",
      combined,
      `SELECT *, count(*) OVER () FROM obligations ${own} AND title ILIKE '%insurance%' ORDER BY resolved_date, id LIMIT 50`,
    ),
    get(
      "signatures?status=SENT",
      "/signatures?status=SENT",
      combined,
      `SELECT *, count(*) OVER () FROM envelopes ${own} AND status = 'SENT' ORDER BY created_at DESC, id LIMIT 50`,
    ),
    get(
      "signatures?q=services",
      "/signatures?q=services",
      combined,
      `SELECT e.*, count(*) OVER () FROM envelopes e JOIN contracts c ON c.organization_id = e.organization_id
         AND c.id = e.contract_id WHERE e.organization_id = $1 AND c.title ILIKE '%services%' LIMIT 50`,
    ),
    ...["action=CONTRACT_UPDATED", `actorId=${userIds[2]}`, "via=api", "to=2025-01-01"].map((filter) =>
      get(
        `audit-events?${filter.replace(/=usr.*/, "")}`,
        `/audit-events?${filter}&limit=50`,
        combined,
        `SELECT * FROM audit_events ${own} AND ${auditWhere(filter)} ORDER BY seq DESC LIMIT 50`,
      ),
    ),
    call(
      "home",
      "home.summary",
      {},
      `SELECT status, value_currency, count(*), sum(value_cents) FROM contracts ${own} GROUP BY 1, 2`,
    ),
    ...["a", "am", "ser", "services"].map((q) =>
      call(
        `palette ${q}`,
        "search.jump",
        { q },
        `SELECT * FROM contracts ${own} AND title ILIKE '%${q}%' ORDER BY title ILIKE '${q}%' DESC, last_activity_at DESC LIMIT 8`,
      ),
    ),
  ];
}

function auditWhere(filter: string): string {
  const [name, value] = filter.split("=");
  if (name === "via") return "api_key_id IS NOT NULL";
  if (name === "to") return `created_at < '${value}'::timestamptz + interval '1 day'`;
  return `${name === "action" ? "action" : "actor_id"} = '${value}'`;
}

function memberText(operation: string, body: object, cookie: string, port: number): string {
  const text = JSON.stringify(body);
  const origin = `127.0.0.1:${port}`;
  const head = `POST /api/member/${operation} HTTP/1.1\r\nhost: ${origin}\r\norigin: http://${origin}\r\ncookie: ${cookie}\r\n`;
  return `${head}content-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
}
