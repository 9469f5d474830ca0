/** Another workspace's data changes no response: no row of it, no count, no sum. */

import { addDays, dayOf } from "#lib/core/dates.ts";
import { database } from "#lib/core/db.ts";
import { execute } from "#lib/core/execute.ts";
import { hasWriteScope } from "#lib/core/operation.ts";
import { approvalsDue } from "#lib/notifications/daily.ts";
import { sendApprovals } from "#lib/notifications/send.ts";
import { namedOperations } from "#lib/operations.ts";
import { expect, test, type Workspace } from "../fixtures.ts";
import { memberOf, sent } from "../signing.ts";
import { templateIn } from "../templates.ts";

// biome-ignore lint/suspicious/noExplicitAny: each test checks the parts of a response that it needs.
type Json = any;

const operations = new Map(namedOperations());
const today = dayOf(new Date());

/** Creates one of everything, with dates close to now: due, about to end, waiting for someone. */
async function furnish(workspace: Workspace) {
  const { api, ctx, ownerId } = workspace;
  const post = async (path: `/${string}`, body?: object): Promise<Json> => {
    const reply = await api(`POST ${path}`, { body });
    expect(reply.status, reply.text).toBeLessThan(300);
    return reply.body;
  };
  const { counterparty } = await post("/counterparties", { name: "Zephyr Northwind" });
  await post(`/counterparties/${counterparty.id}/contacts`, { name: "Zoe", email: "zoe@zephyr.example" });
  const term = { effectiveDate: addDays(today, -330), termMonths: 12, valueCents: "100" };
  const contract = await workspace.contract({
    tags: ["Zephyr"],
    ...{ title: "Zephyr lease", counterpartyId: counterparty.id },
    ...term,
  });
  await workspace.contract({ title: "Another agreement", counterpartyId: counterparty.id });
  await post(`/contracts/${contract.id}/status`, { next: "EXECUTED" });
  for (const days of [-3, 3]) {
    const duty = { contractId: contract.id, kind: "PAYMENT", title: "Pay", anchorType: "FIXED_DATE" };
    await post("/obligations", { ...duty, fixedDate: addDays(today, days) });
  }
  const inMember = memberOf(workspace);
  const field = { key: "zephyr", name: "Zephyr", type: "text" };
  await execute(operations.get("customFields.create")!.operation, inMember, field);
  await api(`PATCH /contracts/${contract.id}`, { body: { customFields: { zephyr: "Zephyr" } } });
  await execute(operations.get("comments.add")!.operation, inMember, { id: contract.id, text: "Zephyr" });
  const files = [{ path: "zephyr.pdf", sizeBytes: 1 }];
  await execute(operations.get("uploads.add")!.operation, inMember, { files });
  const { invitation } = await post("/members/invitations", { email: `${contract.id}@zephyr.example` });
  const { endpoint } = await post("/webhook-endpoints", {
    url: "http://127.0.0.1:9/",
    events: ["member.invited"],
  });
  await post(`/webhook-endpoints/${endpoint.id}/test`);
  await templateIn(ctx, ["Zephyr services"], { name: "Zephyr services" });
  const envelope = await sent(workspace, [{ name: "Zoe" }, { name: "Olive", userId: ownerId }]);
  const inReview = await workspace.contract({ title: "Zephyr in review" });
  const rule = { name: "Zephyr approvals", steps: [{ role: "owner" }] };
  await execute(operations.get("approvalRules.create")!.operation, inMember, rule);
  await execute(operations.get("approvals.request")!.operation, inMember, { id: inReview.id });
  const { data: obligations } = (await api(`GET /contracts/${contract.id}/obligations`)).body;
  const ids = {
    inReview: inReview.id,
    ...{ contract: contract.id, counterparty: counterparty.id, endpoint: endpoint.id },
    ...{ envelope: envelope.id, obligation: obligations[0].id, invitation: invitation.id },
  };
  await expect.poll(() => unsettled(workspace), { timeout: 120_000 }).toBe(0);
  return ids;
}

/** Returns how many jobs and deliveries the workers still have to process for a workspace. */
async function unsettled({ organizationId }: Workspace): Promise<number> {
  const [row] = await database().prisma.$queryRaw<{ left: number }[]>`SELECT
    (SELECT count(*) FROM graphile_worker._private_jobs WHERE payload->>'organizationId' = ${organizationId}
       AND run_at < now() + interval '1 minute')::int
    + (SELECT count(*) FROM deliveries WHERE organization_id = ${organizationId} AND next_attempt_at IS NOT NULL)::int
    AS left`;
  return row!.left;
}

/** Returns every operation that only reads, with its input; several times if it can search. */
const questions = (ids: Awaited<ReturnType<typeof furnish>>): [string, object][] => [
  ["contracts.list", {}],
  ["contracts.list", { q: "zephyr", status: ["EXECUTED"], sort: "title" }],
  ["contracts.list", { counterpartyId: ids.counterparty }],
  ["contracts.list", { customFields: { zephyr: ["Zephyr"] }, sort: "customFields.zephyr" }],
  ["customFields.list", {}],
  ["contracts.read", { id: ids.contract }],
  ["contracts.activity", { id: ids.contract }],
  ["comments.list", { id: ids.contract }],
  ["approvals.mine", {}],
  ["approvals.ofContract", { id: ids.inReview }],
  ["approvalRules.list", {}],
  ["contracts.previewAnchors", { id: ids.contract, termMonths: 24 }],
  ["versions.list", { id: ids.contract }],
  ["versions.recent", { contractId: ids.contract }],
  ["counterparties.list", {}],
  ["counterparties.list", { q: "zephyr" }],
  ["counterparties.read", { id: ids.counterparty }],
  ["contacts.list", { id: ids.counterparty }],
  ["obligations.list", {}],
  ["obligations.agenda", {}],
  ["obligations.list", { status: ["OVERDUE"] }],
  ["obligations.listOfContract", { id: ids.contract }],
  ["proposals.list", { id: ids.contract }],
  ["proposals.places", { id: ids.contract }],
  ["obligations.calendar", { from: addDays(today, -15), to: addDays(today, 15) }],
  ["obligations.read", { id: ids.obligation }],
  ["templates.list", {}],
  ["templates.listAll", {}],
  ["signatures.list", {}],
  ["signatures.listOfContract", { id: ids.contract }],
  ["signatures.read", { envelopeId: ids.envelope }],
  ["signatures.events", { envelopeId: ids.envelope }],
  ["signatures.progress", { envelopeId: ids.envelope }],
  ["members.list", {}],
  ["invitations.list", {}],
  ["webhookEndpoints.list", {}],
  ["webhookEndpoints.read", { id: ids.endpoint }],
  ["webhookEndpoints.deliveries", { id: ids.endpoint }],
  ["auditEvents.list", {}],
  ["auditEvents.list", { action: ["CONTRACT_CREATED"] }],
  ["analytics.summary", {}],
  ["workspace.read", {}],
  ["apiKeys.list", {}],
  ["savedFilters.list", {}],
  ["assistants.list", {}],
  ["notifications.list", {}],
  ["notifications.unread", {}],
  ["notifications.settings", {}],
  ["notifications.defaults", {}],
  ["home.summary", {}],
  ["contracts.tags", {}],
  ["uploads.list", {}],
  ["uploads.summary", {}],
  ["imports.read", {}],
  ["search.jump", { q: "zephyr" }],
  ["search.clauses", { q: "zephyr services" }],
];

/**
 * Reads of a single thing by its id, which the tests with foreign ids cover; operations that write although they are no
 * change; and those that return the same to everyone.
 */
const elsewhere = new Set([
  "apiKeys.usage",
  "contracts.previewDeletion",
  "obligations.preview",
  "previews.read",
  "versions.download",
  "versions.progress",
  "versions.viewUrl",
  "versions.compare",
  "versions.text",
  "templates.read",
  "templates.readSettings",
  "templates.history",
  "templates.use",
  "templates.documentUrl",
  "templates.check",
  "templates.preview",
  "templates.preparePreview",
  "signatures.check",
  "signatures.pdf",
  "webhookEndpoints.inspectDelivery",
  "assistants.revoke",
  "savedFilters.save",
  "savedFilters.remove",
  "notifications.mark",
  "notifications.saveSettings",
]);

test("another workspace's data changes no response of this one", async ({ workspace, other }) => {
  test.setTimeout(300_000);
  const ids = await furnish(workspace);
  const member = memberOf(workspace);
  // Otherwise they would be notified within the next minute.
  const due = await approvalsDue(new Date());
  const ours = due.filter(({ organizationId }) => organizationId === workspace.organizationId);
  await Promise.all(ours.map(sendApprovals));
  const ask = async () => {
    const answers: Record<string, unknown> = {};
    for (const [name, input] of questions(ids)) {
      answers[`${name} ${JSON.stringify(input)}`] = await execute(
        operations.get(name)!.operation,
        member,
        input,
      );
    }
    return answers;
  };
  const before = await ask();
  const { home } = before["home.summary {}"] as Json;
  expect(home.renewals.byWeek, "else there is nothing to add to").toHaveLength(1);
  expect((before['search.jump {"q":"zephyr"}'] as Json).counterparties).toHaveLength(1);
  await furnish(other);
  expect(await ask()).toEqual(before);
});

test("every read operation is covered by a test of isolation between workspaces", () => {
  const nothing = {
    contract: "",
    counterparty: "",
    endpoint: "",
    envelope: "",
    obligation: "",
    invitation: "",
    inReview: "",
  };
  const asked = new Set(questions(nothing).map(([name]) => name));
  const reads = [...operations].filter(
    ([, { door, operation }]) => door === "member" && !hasWriteScope(operation),
  );
  const forgotten = reads.map(([name]) => name).filter((name) => !asked.has(name) && !elsewhere.has(name));
  expect(forgotten).toEqual([]);
});
