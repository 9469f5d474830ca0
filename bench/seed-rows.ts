/** The rows of a seeded workspace: plausible and varied, and the same in every run except for the ids. */
import { contractTypes, ourRoles } from "#lib/contracts/schema.ts";
import { newId } from "#lib/core/ids.ts";

export const dayMs = 86_400_000;
const names = ["Amara Okafor", "Ben Whitfield", "Clara Voss", "Dana Reyes", "Emil Lindqvist", "Farah Haddad"];
const starts = [
  "Alder",
  "Brook",
  "Cedar",
  "Delta",
  "Ember",
  "Falcon",
  "Granite",
  "Harbor",
  "Indigo",
  "Juniper",
];
const middles = ["Point", "Ridge", "Stone", "Works", "Field", "Gate", "Line", "Mark", "Peak", "Well"];
const ends = [
  "Logistics",
  "Systems",
  "Partners",
  "Health",
  "Energy",
  "Foods",
  "Capital",
  "Media",
  "Labs",
  "Group",
];
const forms = ["Inc.", "GmbH", "Ltd"];
const subjects = ["platform access", "field services", "data processing", "office lease", "pilot", "supply"];
const relations = ["CUSTOMER", "VENDOR", "PARTNER", "RESELLER", "OTHER"];
const agents = ["Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36", "countersign-sync/2.4"];

/** A number that looks random, always the same for the same `n`. */
export function scatter(n: number, below: number): number {
  let x = Math.imul(n + 1, 0x9e3779b1);
  x = Math.imul(x ^ (x >>> 15), 0x85ebca6b);
  return ((x ^ (x >>> 13)) >>> 0) % below;
}

export const one = <T>(list: readonly T[], n: number): T => list[scatter(n, list.length)]!;
export const iso = (ms: number) => new Date(ms).toISOString();
export const midnight = (ms: number) => iso(Math.floor(ms / dayMs) * dayMs);

export interface Workspace {
  id: string;
  name: string;
  users: { id: string; name: string; email: string }[];
  counterparties: { id: string; name: string }[];
  contracts: { id: string; title: string }[];
  key: { id: string; name: string };
}

export function memberRows(workspace: string, count: number) {
  return Array.from({ length: count }, (_, n) => {
    const name = `${names[n % names.length]} ${n}`;
    return {
      id: newId("user"),
      name,
      email: `${name.toLowerCase().replaceAll(" ", ".")}@${workspace}.example`,
    };
  });
}

export function counterpartyRows(count: number) {
  return Array.from({ length: count }, (_, n) => {
    const name = `${starts[n % 10]} ${middles[Math.floor(n / 10) % 10]} ${ends[Math.floor(n / 100) % 10]}`;
    const full = `${name} ${one(forms, n)}${n < 1000 ? "" : ` ${Math.floor(n / 1000)}`}`;
    const domain = `${full.toLowerCase().replace(/[^a-z0-9]+/g, "-")}.example`;
    return { id: newId("counterparty"), name: full, domain, relationship_types: [one(relations, n)] };
  });
}

function statusOf(n: number, effective: number, months: number | null, now: number): string {
  const dice = scatter(n * 7 + 3, 100);
  if (dice < 12) return ["DRAFT", "IN_REVIEW", "NEGOTIATING", "APPROVED"][dice % 4]!;
  if (dice < 16) return dice % 2 ? "TERMINATED" : "CANCELLED";
  if (effective > now) return "EXECUTED";
  return months !== null && effective + months * 30.4 * dayMs < now ? "EXPIRED" : "ACTIVE";
}

/** The n-th contract of `count`, created within the last five years. */
export function contractRow(workspace: Workspace, n: number, count: number) {
  const now = Date.now();
  const made = now - Math.round((1 - n / count) * 1825 * dayMs) - scatter(n, 3_600_000) - dayMs;
  const touched = made + scatter(n * 3, Math.max(1, now - dayMs - made));
  const effective = made + scatter(n * 5, 60) * dayMs;
  const months = scatter(n * 11, 10) < 2 ? null : one([6, 12, 12, 24, 36, 60], n * 13);
  const status = statusOf(n, effective, months, now);
  const signed = !["DRAFT", "IN_REVIEW", "NEGOTIATING", "APPROVED", "CANCELLED"].includes(status);
  const party = scatter(n * 17, 50) === 0 ? null : one(workspace.counterparties, n * 19);
  const type = one(contractTypes, n * 23);
  const hasValue = scatter(n * 29, 4) > 0;
  const autoRenews = months !== null && status === "ACTIVE" && n % 3 === 0;
  return {
    organization_id: workspace.id,
    id: newId("contract", new Date(made)),
    title: `${type.replaceAll("_", " ")} for ${one(subjects, n)} with ${party?.name ?? "several parties"} (${n})`,
    type,
    our_role: one(ourRoles, n * 31),
    status,
    counterparty_id: party?.id ?? null,
    owner_id: one(workspace.users, n * 37).id,
    effective_date: signed || n % 2 ? midnight(effective) : null,
    executed_at: signed ? midnight(effective - 3 * dayMs) : null,
    term_months: months,
    auto_renews: autoRenews,
    renewal_months: autoRenews ? 12 : null,
    value_cents: hasValue ? String(scatter(n * 41, 90_000) * 1000 + 50_000) : null,
    value_currency: hasValue ? one(["USD", "EUR", "GBP"], n * 43) : null,
    revision: 1,
    last_activity_at: iso(touched),
    status_changed_at: iso(made),
    created_at: iso(made),
    updated_at: iso(touched),
  };
}

/** The n-th event; every fifth is a contract's creation, so that every contract has one. */
export function auditRow(workspace: Workspace, n: number) {
  const made = n % 5 === 0;
  const contract = made ? workspace.contracts[n / 5]! : workspace.contracts[scatter(n, Math.ceil(n / 5))]!;
  const byKey = scatter(n * 3, 3) === 0;
  const user = one(workspace.users, n * 5);
  const title = { from: `${contract.title} (draft)`, to: contract.title };
  const value = { from: String(scatter(n, 90_000) * 100), to: String(scatter(n * 7, 90_000) * 100) };
  return {
    organization_id: workspace.id,
    id: newId("auditEvent"),
    action: made ? "CONTRACT_CREATED" : one(["CONTRACT_UPDATED", "VERSION_DOWNLOADED"] as const, n * 11),
    actor_id: byKey ? null : user.id,
    actor_name: byKey ? null : user.name,
    actor_email: byKey ? null : user.email,
    api_key_id: byKey ? workspace.key.id : null,
    api_key_name: byKey ? workspace.key.name : null,
    contract_id: contract.id,
    contract_title: contract.title,
    payload: {
      target: { type: "contract", id: contract.id },
      changes: made ? null : scatter(n, 2) ? { title } : { valueCents: value },
      reason: null,
      ip: `10.${scatter(n, 250)}.${scatter(n * 2, 250)}.7`,
      userAgent: byKey ? agents[1] : agents[0],
      requestId: `req-${n.toString(36).padStart(8, "0")}`,
      actor: null,
    },
  };
}
