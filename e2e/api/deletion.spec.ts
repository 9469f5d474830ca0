/** Deleting a draft that was never sent: who may do it, what is deleted, what stays, and concurrent changes. */
import { comments } from "#lib/comments/operations.ts";
import { moveContract } from "#lib/contracts/contracts.ts";
import { database } from "#lib/core/db.ts";
import { execute } from "#lib/core/execute.ts";
import { newId } from "#lib/core/ids.ts";
import { deleteDraft } from "#lib/deletion/deletion.ts";
import { expect, test, type Workspace } from "../fixtures.ts";
import { code, signedIn } from "../members.ts";
import { asMember, draft, memberOf, pdf, sent } from "../signing.ts";

// biome-ignore lint/suspicious/noExplicitAny: each test checks the parts of a response that it needs.
type Json = any;

/** Returns the rows of all tables, except history, that name a contract or something that belongs to it. */
async function rowsNaming(ids: string[]): Promise<string[]> {
  const { prisma } = database();
  const tables = await prisma.$queryRaw<
    { name: string }[]
  >`SELECT table_name AS name FROM information_schema.tables
    WHERE table_schema = current_schema() AND table_type = 'BASE TABLE'`;
  const history = /^(audit_events|signing_events|events|deliveries|idempotency_records)$/;
  const found: string[] = [];
  for (const { name } of tables.filter((table) => !history.test(table.name))) {
    const rows = await prisma.$queryRawUnsafe<{ count: number }[]>(
      `SELECT count(*)::int AS count FROM "${name}" t WHERE to_jsonb(t)::text LIKE ANY ($1::text[])`,
      ids.map((id) => `%${id}%`),
    );
    if (rows[0]!.count > 0) found.push(name);
  }
  return found;
}

/** Creates a draft contract with everything that one can have. */
async function fullDraft(workspace: Workspace) {
  const { api, organizationId } = workspace;
  const envelope = await draft(workspace, [{ name: "Ann" }]);
  const id = envelope.contractId;
  const { prisma } = database();
  await api(`PATCH /contracts/${id}`, { body: { tags: ["Sea"], effectiveDate: "2031-01-01" } });
  const duty = { contractId: id, kind: "PAYMENT", title: "Pay", anchorType: "EFFECTIVE_DATE" };
  await api("POST /obligations", { body: duty });
  const member = await signedIn(workspace, "member");
  const { comment } = (await member.call("comments.add", { id, text: "Look", mentions: [] })).body;
  await member.call("comments.reply", { id: comment.id, text: "Seen", mentions: [] });
  const versionId = envelope.documentVersionId;
  // Proposals that the document does not contain are removed when it is read, so wait for that first.
  const readings = () => prisma.versionReading.count({ where: { organizationId, versionId } });
  await expect.poll(readings, { timeout: 60_000 }).toBe(1);
  await prisma.$transaction(async (tx) => {
    await tx.$executeRaw`INSERT INTO date_proposals (organization_id, contract_id, version_id, anchor, value, quote, page, reasoning, created_at)
      VALUES (${organizationId}, ${id}, ${versionId}, 'effectiveDate', '2031-01-01', 'as of', 1, 'It says so.', now())`;
    await tx.$executeRaw`INSERT INTO notifications (organization_id, id, user_id, kind, subject_id, contract_id, date, stage)
      VALUES (${organizationId}, ${newId("notification")}, ${member.userId}, 'RENEWAL', ${id}, ${id}, '2031-01-01', 1)`;
  });
  const obligations = await prisma.obligation.findMany({ where: { organizationId, contractId: id } });
  const ids = [id, versionId, envelope.id, comment.id, ...obligations.map((one) => one.id)];
  return { id, ids, member };
}

test("deleting a draft removes all its data except the audit log, and webhooks get only its ID and title", async ({
  workspace,
}) => {
  await workspace.api("POST /webhook-endpoints", { body: { url: "http://127.0.0.1:9/" } });
  const { id, ids } = await fullDraft(workspace);
  const untouched = await workspace.contract({ title: "Stays" });
  const admin = await signedIn(workspace, "admin");
  // Waits until the document has been read, because reading it also writes rows.
  const pages = () =>
    database().prisma.documentPage.count({ where: { organizationId: workspace.organizationId } });
  await expect.poll(pages, { timeout: 60_000 }).toBeGreaterThan(0);
  expect((await admin.call("contracts.previewDeletion", { id })).body).toEqual({
    ...{ versions: 1, obligations: 1, comments: 2, drafts: 1 },
  });
  expect(await rowsNaming(ids)).toEqual(
    expect.arrayContaining(["comments", "contract_tags", "contract_words", "contracts", "date_proposals"]),
  );
  const { status, text } = await admin.call("contracts.remove", { id });
  expect([status, text]).toEqual([204, ""]);
  await expect.poll(() => rowsNaming(ids), { timeout: 60_000 }).toEqual([]);
  expect(code(await workspace.api(`GET /contracts/${id}`))).toBe("404 not_found");
  expect(code(await admin.call("contracts.remove", { id }))).toBe("404 not_found");
  const { data } = (await workspace.api(`GET /audit-events?contractId=${id}&limit=200`)).body;
  expect(data.map(({ action }: Json) => action)).toEqual(
    expect.arrayContaining(["CONTRACT_DELETED", "COMMENT_ADDED", "VERSION_UPLOADED", "CONTRACT_CREATED"]),
  );
  expect(data[0]).toMatchObject({
    action: "CONTRACT_DELETED",
    contract: { id, title: "Master services agreement" },
  });
  const events = await database().prisma.event.findMany({
    where: { organizationId: workspace.organizationId, type: "contract.deleted" },
  });
  expect(events.map(({ payload }) => JSON.parse(payload).data)).toEqual([
    { contract: { id, title: "Master services agreement" }, previous: null },
  ]);
  expect((await workspace.api("GET /contracts")).body.data.map(({ id: one }: Json) => one)).toEqual([
    untouched.id,
  ]);
});

test("only a never-sent draft can be deleted, by its owner but not by other members, viewers or API keys", async ({
  workspace,
  other,
}) => {
  const member = await signedIn(workspace, "member");
  const colleague = await signedIn(workspace, "member");
  const viewer = await signedIn(workspace, "viewer");
  const stranger = await signedIn(other, "owner");
  const { id } = await workspace.contract({ ownerId: member.userId });
  for (const [who, refusal] of [
    [colleague, "403 forbidden"],
    [viewer, "403 forbidden"],
    [stranger, "404 not_found"],
  ] as const) {
    expect(code(await who.call("contracts.remove", { id }))).toBe(refusal);
  }
  expect(code(await workspace.api(`DELETE /contracts/${id}`))).toBe("405 method_not_allowed");
  await moveContract(workspace.ctx, { id, next: "IN_REVIEW" });
  const moved = await member.call("contracts.remove", { id });
  expect([code(moved), moved.body.error.message]).toEqual([
    "409 conflict",
    "Only a draft can be deleted. Archive this contract instead.",
  ]);
  await moveContract(workspace.ctx, { id, next: "DRAFT" });
  expect((await member.call("contracts.remove", { id })).status).toBe(204);

  const out = await sent(workspace, [{ name: "Ann" }]);
  await asMember(memberOf(workspace), "void", { envelopeId: out.id, reason: "Wrong version" });
  const owner = await signedIn(workspace, "owner");
  const refused = await owner.call("contracts.remove", { id: out.contractId });
  expect([code(refused), refused.body.error.message]).toEqual([
    "409 conflict",
    "This contract was sent for signature, so it stays. Archive it instead.",
  ]);
});

test("deleting a draft while it is sent, changed, commented on or uploaded to removes it completely or not at all", async ({
  workspace,
}) => {
  const ctx = memberOf(workspace);
  const { api } = workspace;
  const acts: [string, (envelope: Json) => Promise<unknown>][] = [
    ["send", ({ id }) => asMember(ctx, "send", { envelopeId: id })],
    ["draft", ({ contractId }) => asMember(ctx, "createDraft", { contractId })],
    ["patch", ({ contractId }) => api(`PATCH /contracts/${contractId}`, { body: { tags: ["now"] } })],
    ["archive", ({ contractId }) => api(`PATCH /contracts/${contractId}`, { body: { archived: true } })],
    [
      "comment",
      ({ contractId }) => execute(comments.add, ctx, { id: contractId, text: "Wait", mentions: [] }),
    ],
    [
      "upload",
      async ({ contractId }) => {
        const contentBase64 = Buffer.from(await pdf(3)).toString("base64");
        const document = { fileName: "next.pdf", contentType: "application/pdf", contentBase64 };
        return api(`POST /contracts/${contractId}/versions`, { body: { document } });
      },
    ],
    [
      "oblige",
      ({ contractId }) =>
        api("POST /obligations", {
          body: { contractId, kind: "OTHER", title: "Late", anchorType: "EFFECTIVE_DATE" },
        }),
    ],
  ];
  for (const [name, act] of acts) {
    const envelope = await draft(workspace, [{ name: "Ann" }]);
    const settled = await Promise.allSettled([deleteDraft(ctx, { id: envelope.contractId }), act(envelope)]);
    const [deleted, done] = settled as [PromiseSettledResult<void>, PromiseSettledResult<Json>];
    const isGone = (await api(`GET /contracts/${envelope.contractId}`)).status === 404;
    expect(isGone, name).toBe(deleted.status === "fulfilled");
    const refusals = [deleted, done].flatMap((one) => (one.status === "rejected" ? [one.reason.code] : []));
    for (const refusal of refusals) {
      expect(["conflict", "not_found", "unavailable", "validation_error"], name).toContain(refusal);
    }
    if (done.status === "fulfilled" && done.value?.status) {
      expect([200, 201, 404, 409, 422, 503], name).toContain(done.value.status);
    }
    if (isGone) expect(await rowsNaming([envelope.contractId, envelope.id]), name).toEqual([]);
  }
});
