/** What the signing domain guarantees, on a real database, whichever page or program calls it. */

import { verifyAudit } from "#lib/audit/verify.ts";
import { reader } from "#lib/core/change.ts";
import { systemContext } from "#lib/core/context.ts";
import { database } from "#lib/core/db.ts";
import { firstBrokenLink } from "#lib/signatures/chain.ts";
import { expireRequest, remindDue } from "#lib/signatures/daily.ts";
import { chainOf } from "#lib/signatures/events.ts";
import { expect, test, type Workspace } from "../fixtures.ts";
import { asMember, contractWithPdf, draft, mailsTo, memberOf, sent, signerAt, visitBy } from "../signing.ts";

const hourMs = 3_600_000;
const soon = () => new Date(Date.now() + hourMs).toISOString();

const refusal = (code: string, message = "") => ({ code, message: expect.stringContaining(message) });
/** Waits for a code mail to an address; returns the latest code. */
async function codeFor(address: string): Promise<string | undefined> {
  const mails = () => mailsTo(address, / is your code/);
  await expect.poll(async () => (await mails()).length, { timeout: 60_000 }).toBeGreaterThan(0);
  return /Your code is (\d{6})/.exec((await mails()).at(-1)!)?.[1];
}

const statusOf = async (workspace: Workspace, id: string) =>
  (await workspace.api(`GET /contracts/${id}`)).body.contract.status;
const typesOf = async (workspace: Workspace, envelopeId: string) =>
  (await chainOf(reader(), workspace.ctx, envelopeId)).map(({ type }) => type);

test("two signers sign in order, the contract is out for signature meanwhile, and the history verifies", async ({
  workspace,
}) => {
  const envelope = await sent(workspace, [{ name: "Ann" }, { name: "Ben", orderIndex: 1 }]);
  expect(await statusOf(workspace, envelope.contractId)).toBe("OUT_FOR_SIGNATURE");
  const [ann, ben] = [await signerAt(workspace, envelope, 0), await signerAt(workspace, envelope, 1)];
  expect((await ben.state()).screen).toBe("not-your-turn");
  await expect(ben.act("finish")).rejects.toMatchObject(refusal("invalid_transition", "Ann must sign first"));
  await expect(ben.act("decline", { reason: "No" })).rejects.toMatchObject(refusal("invalid_transition"));
  expect((await ann.sign()).screen).toBe("done");
  await expect(ann.act("finish")).rejects.toMatchObject(
    refusal("invalid_transition", "You have already signed"),
  );
  const half = (await workspace.api(`GET /signatures/${envelope.id}`)).body.envelope;
  expect(half).toMatchObject({
    status: "PARTIALLY_SIGNED",
    progress: { totalSigners: 2, signedCount: 1, awaitingSigner: { name: "Ben" } },
  });
  expect((await ben.sign()).screen).toMatch(/done|completed/);
  const events = await chainOf(reader(), workspace.ctx, envelope.id);
  const { organizationId } = workspace;
  expect(firstBrokenLink({ organizationId, envelopeId: envelope.id }, events)).toBeNull();
  const altered = events.map((event) =>
    event.type === "SENT" ? { ...event, details: { pdfSha256: "0" } } : event,
  );
  expect(firstBrokenLink({ organizationId, envelopeId: envelope.id }, altered)).toBe(
    "Event 2 (SENT) was altered.",
  );
  expect(await verifyAudit(organizationId)).toMatchObject({ ok: true });
});

test("the hash chain verifies from the events that the API returns", async ({ workspace }) => {
  const envelope = await sent(workspace, [{ name: "Ann" }]);
  await (await signerAt(workspace, envelope)).agree();
  const { body } = await workspace.api(`GET /signatures/${envelope.id}/events?dir=asc&pageSize=100`);
  expect(body.data.length).toBeGreaterThan(3);
  const { organizationId } = workspace;
  expect(firstBrokenLink({ organizationId, envelopeId: envelope.id }, body.data)).toBeNull();
});

test("the database refuses to change, delete or truncate signing events", async ({ workspace }) => {
  const envelope = await sent(workspace, [{ name: "Ann" }]);
  const { prisma } = database();
  const of = { organizationId: workspace.organizationId, envelopeId: envelope.id };
  await expect(prisma.signingEvent.updateMany({ where: of, data: { type: "VOIDED" } })).rejects.toThrow(
    /append-only/,
  );
  await expect(prisma.signingEvent.deleteMany({ where: of })).rejects.toThrow(/append-only/);
  await expect(prisma.$executeRaw`TRUNCATE signing_events`).rejects.toThrow(/append-only/);
});

test("20 concurrent attempts to finish record one signature", async ({ workspace }) => {
  const envelope = await sent(workspace, [{ name: "Ann" }, { name: "Ben", orderIndex: 1 }]);
  const ann = await signerAt(workspace, envelope);
  await ann.fill();
  const results = await Promise.allSettled(Array.from({ length: 20 }, () => ann.act("finish")));
  const late = results.filter((result) => result.status === "rejected").map(({ reason }) => reason.code);
  // They run one after another, and each later one finds that Ann has signed.
  expect(late).toEqual(Array(19).fill("invalid_transition"));
  const types = await typesOf(workspace, envelope.id);
  expect(types.filter((type) => type === "SIGNED")).toHaveLength(1);
  const notified = async () =>
    (await typesOf(workspace, envelope.id)).filter((type) => type === "NOTIFIED").length;
  await expect.poll(notified, { timeout: 60_000 }).toBe(2);
  const { body } = await workspace.api("GET /audit-events?action=SIGNATURE_REQUEST_SIGNED");
  expect(body.data).toHaveLength(1);
  expect(body.data[0]).toMatchObject({
    actor: null,
    apiKey: null,
    payload: { actor: { kind: "SIGNER", id: envelope.signers[0].id, name: "Ann" } },
  });
});

test("parallel signers who finish at the same moment all sign, and the request is sealed once", async ({
  workspace,
}) => {
  const envelope = await sent(workspace, [{ name: "Ann" }, { name: "Ben" }, { name: "Cleo" }]);
  const signers = await Promise.all([0, 1, 2].map((index) => signerAt(workspace, envelope, index)));
  for (const signer of signers) await signer.fill();
  await Promise.all(signers.map((signer) => signer.act("finish")));
  const types = await typesOf(workspace, envelope.id);
  expect(types.filter((type) => type === "SIGNED")).toHaveLength(3);
  const status = async () =>
    (await reader().envelope.findFirstOrThrow({ where: { id: envelope.id } })).status;
  await expect.poll(status, { timeout: 60_000 }).toBe("COMPLETED");
  const sealed = (await typesOf(workspace, envelope.id)).filter((type) => /SEALED|COMPLETED/.test(type));
  expect(sealed).toEqual(["SEALED", "COMPLETED"]);
});

test("a draft that is sent four times concurrently is sent once", async ({ workspace }) => {
  const { id } = await draft(workspace, [{ name: "Ann" }]);
  const sends = [1, 2, 3, 4].map(() => asMember(memberOf(workspace), "send", { envelopeId: id }));
  const results = await Promise.allSettled(sends);
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect((await typesOf(workspace, id)).filter((type) => type === "SENT")).toHaveLength(1);
});

test("a contract has one open request at a time, and its status cannot be changed by hand meanwhile", async ({
  workspace,
}) => {
  const envelope = await sent(workspace, [{ name: "Ann" }]);
  const ctx = memberOf(workspace);
  const { envelope: second } = await asMember(ctx, "duplicateAsDraft", { envelopeId: envelope.id });
  expect(second).toMatchObject({ status: "DRAFT", signers: [{ name: "Ann" }] });
  expect(second.fields).toHaveLength(4);
  await expect(asMember(ctx, "send", { envelopeId: second.id })).rejects.toMatchObject(
    refusal("envelope_open"),
  );
  const moved = await workspace.api(`POST /contracts/${envelope.contractId}/status`, {
    body: { next: "DRAFT" },
  });
  expect([moved.status, moved.body.error.code]).toEqual([409, "invalid_transition"]);
  await asMember(ctx, "void", { envelopeId: envelope.id, reason: "Wrong version" });
  expect(await statusOf(workspace, envelope.contractId)).toBe("DRAFT");
  expect((await asMember(ctx, "send", { envelopeId: second.id })).envelope.status).toBe("SENT");
});

test("the checks before sending report every error of a draft, and none for a valid one", async ({
  workspace,
}) => {
  const ctx = memberOf(workspace);
  const good = await draft(workspace, [{ name: "Ann" }]);
  expect(await asMember(ctx, "check", { envelopeId: good.id })).toMatchObject({ errors: [] });
  const { contract } = await contractWithPdf(workspace);
  const { envelope } = await asMember(ctx, "createDraft", { contractId: contract.id });
  const signers = [
    { name: "Ann", email: "same@signers.example" },
    { name: "Ben", email: "Same@Signers.example" },
  ];
  const { envelope: two } = await asMember(ctx, "updateDraft", { envelopeId: envelope.id, signers });
  const field = {
    signerId: two.signers[0].id,
    type: "SIGNATURE",
    pageIndex: 7,
    xPct: 1,
    yPct: 1,
    wPct: 9,
    hPct: 9,
  };
  await asMember(ctx, "updateDraft", { envelopeId: envelope.id, fields: [field], deadline: "2020-01-01" });
  const { errors } = await asMember(ctx, "check", { envelopeId: envelope.id });
  const paths = errors.map(({ path }: { path: string }) => path).sort();
  expect(paths).toEqual(["deadline", "fields.0.pageIndex", "signers.1", "signers.1.email"]);
  await expect(asMember(ctx, "send", { envelopeId: envelope.id })).rejects.toMatchObject(
    refusal("validation_error"),
  );
  expect(await statusOf(workspace, contract.id)).toBe("DRAFT");
  const off = { ...field, pageIndex: 0, xPct: 95 };
  await expect(
    asMember(ctx, "updateDraft", { envelopeId: envelope.id, fields: [off] }),
  ).rejects.toMatchObject({
    issues: [{ path: "fields.0.wPct", message: "leaves the page on the right" }],
  });
});

test("API keys and viewers cannot send a request, and a member cannot sign for a signer", async ({
  workspace,
}) => {
  const { contract } = await contractWithPdf(workspace);
  const input = { contractId: contract.id };
  const viewer = memberOf(workspace, { role: "viewer" });
  await expect(asMember(viewer, "createDraft", input)).rejects.toMatchObject(refusal("forbidden"));
  const { sendDraft } = await import("#lib/signatures/send/send.ts");
  const { finish } = await import("#lib/signatures/sign/actions.ts");
  const { id } = await draft(workspace, [{ name: "Ann" }]);
  const key = { kind: "api_key", id: workspace.keyId, name: "Key" } as const;
  await expect(sendDraft({ ...workspace.ctx, actor: key }, id)).rejects.toMatchObject(refusal("forbidden"));
  await expect(sendDraft(viewer, id)).rejects.toMatchObject(refusal("forbidden"));
  await expect(finish(memberOf(workspace), { values: [] })).rejects.toMatchObject(refusal("forbidden"));
});

test("nothing can be signed before consent or without a required field", async ({ workspace }) => {
  const envelope = await sent(workspace, [{ name: "Ann" }]);
  const ann = await signerAt(workspace, envelope);
  const state = await ann.state();
  expect(state).toMatchObject({ screen: "consent", document: { fileName: "agreement.pdf" } });
  await expect(ann.act("finish")).rejects.toMatchObject(refusal("invalid_transition", "Agree"));
  await expect(ann.act("consent", { hash: "0".repeat(64) })).rejects.toMatchObject(refusal("conflict"));
  const { fields } = await ann.agree();
  const text = fields.find(({ type }: { type: string }) => type === "TEXT").id;
  const signature = fields.find(({ type }: { type: string }) => type === "SIGNATURE").id;
  const error = await ann.act("finish").catch((caught) => caught);
  expect(error.issues.map(({ path }: { path: string }) => path).sort()).toEqual(
    [`values.${text}`, `values.${signature}`].sort(),
  );
  const date = fields.find(({ type }: { type: string }) => type === "DATE_SIGNED").id;
  const wrong = ann.act("saveValues", { values: [{ fieldId: date, value: "2020-01-01" }] });
  await expect(wrong).rejects.toMatchObject(refusal("validation_error"));
});

test("values that a signer entered survive a reload, and are in neither the audit log nor the history", async ({
  workspace,
}) => {
  const envelope = await sent(workspace, [{ name: "Ann" }]);
  const ann = await signerAt(workspace, envelope);
  await ann.fill();
  const again = await signerAt(workspace, envelope);
  const { fields, screen } = await again.state();
  expect(screen).toBe("sign");
  const text = fields.find(({ type }: { type: string }) => type === "TEXT");
  expect(text).toMatchObject({ filled: true, value: "Head of purchasing" });
  expect(fields.find(({ type }: { type: string }) => type === "SIGNATURE")).toMatchObject({
    filled: true,
    value: null,
  });
  await ann.act("finish");
  const logs = await database().prisma.$queryRaw<{ said: string }[]>`
    SELECT payload::text AS said FROM audit_events WHERE organization_id = ${workspace.organizationId}
    UNION ALL SELECT COALESCE(details::text, '') FROM signing_events WHERE organization_id = ${workspace.organizationId}`;
  for (const { said } of logs) expect(said).not.toMatch(/Head of purchasing|A\. Signer/);
});

test("a decline ends the request for every signer, and shows them the reason", async ({ workspace }) => {
  const envelope = await sent(workspace, [{ name: "Ann" }, { name: "Ben" }]);
  const [ann, ben] = [await signerAt(workspace, envelope, 0), await signerAt(workspace, envelope, 1)];
  await ann.fill();
  const { version } = await ann.act("poll");
  await ben.act("decline", { reason: "The price is wrong" });
  const pulse = await ann.act("poll");
  expect(pulse.screen).toBe("declined");
  expect(pulse.version).toBeGreaterThan(version);
  expect((await ann.state()).ending).toMatchObject({ by: "Ben", reason: "The price is wrong" });
  await expect(ann.act("finish")).rejects.toMatchObject(refusal("invalid_transition", "DECLINED"));
  expect(await statusOf(workspace, envelope.contractId)).toBe("DRAFT");
});

test("voiding a request restores the contract's earlier status", async ({ workspace }) => {
  const { id, contractId } = await draft(workspace, [{ name: "Ann" }]);
  await workspace.api(`POST /contracts/${contractId}/status`, { body: { next: "APPROVED" } });
  const ctx = memberOf(workspace);
  await asMember(ctx, "send", { envelopeId: id });
  await asMember(ctx, "void", { envelopeId: id, reason: "Later" });
  expect(await statusOf(workspace, contractId)).toBe("APPROVED");
  const again = asMember(ctx, "void", { envelopeId: id, reason: "Again" });
  await expect(again).rejects.toMatchObject(refusal("invalid_transition"));
});

test("after its deadline a request accepts nothing, even before the expiry job runs, until it is extended", async ({
  workspace,
}) => {
  const envelope = await sent(workspace, [{ name: "Ann" }], { deadline: soon() });
  const ann = await signerAt(workspace, envelope);
  await ann.fill();
  const late = new Date(Date.now() + 2 * hourMs);
  await expect(ann.act("finish", {}, late)).rejects.toMatchObject(
    refusal("invalid_transition", "deadline has passed"),
  );
  expect((await ann.act("poll", {}, late)).screen).toBe("expired");
  await expireRequest(systemContext(workspace.organizationId, "calendar", late), envelope.id);
  expect((await ann.state()).screen).toBe("expired");
  expect(await statusOf(workspace, envelope.contractId)).toBe("DRAFT");
  const ctx = memberOf(workspace);
  const deadline = new Date(Date.now() + 4 * hourMs).toISOString();
  const extended = await asMember(ctx, "extend", { envelopeId: envelope.id, deadline });
  expect(extended.envelope).toMatchObject({ status: "SENT", deadline, expiredAt: null });
  expect(await statusOf(workspace, envelope.contractId)).toBe("OUT_FOR_SIGNATURE");
  expect((await ann.act("finish")).state.screen).toMatch(/done|completed/);
});

test("after a delegation, the old link names the delegate and cannot sign, and the delegate can", async ({
  workspace,
}) => {
  const envelope = await sent(workspace, [{ name: "Ann" }, { name: "Ben", email: "ben@signers.example" }]);
  const ann = await signerAt(workspace, envelope);
  const taken = ann.act("delegate", { name: "Ben again", email: "BEN@signers.example" });
  await expect(taken).rejects.toMatchObject(refusal("validation_error"));
  const { state } = await ann.act("delegate", {
    name: "Dora",
    email: "dora@signers.example",
    reason: "Her job",
  });
  expect(state).toMatchObject({ screen: "delegated", ending: { by: "Dora" }, document: null, fields: [] });
  await expect(ann.act("finish")).rejects.toMatchObject(refusal("invalid_transition", "delegated this"));
  const { envelope: now } = await asMember(memberOf(workspace), "progress", { envelopeId: envelope.id });
  expect(now.progress.totalSigners).toBe(2);
  const index = now.signers.findIndex(({ name }: { name: string }) => name === "Dora");
  expect((await (await signerAt(workspace, now, index)).sign()).screen).toBe("done");
});

test("correcting a signer's address sends a new link and invalidates the old ones", async ({ workspace }) => {
  const envelope = await sent(workspace, [{ name: "Ann", email: "typo@signers.example" }]);
  const ctx = memberOf(workspace);
  const signerId = envelope.signers[0].id;
  const { url } = await asMember(ctx, "copyLink", { envelopeId: envelope.id, signerId });
  const stranger = await visitBy(url);
  await stranger.agree();
  const corrected = { envelopeId: envelope.id, signerId, email: "ann@signers.example" };
  const { envelope: now } = await asMember(ctx, "correctSigner", corrected);
  expect(now.signers[0]).toMatchObject({ email: "ann@signers.example", viewedAt: null, consentAt: null });
  const requests = now.signers[0].mails.filter(
    (mail: { template: string; address: string }) =>
      mail.template === "signing-request" && mail.address === "ann@signers.example",
  );
  expect(requests).toHaveLength(1);
  await expect(stranger.state()).rejects.toMatchObject(refusal("forbidden"));
  await expect(visitBy(url)).rejects.toMatchObject(refusal("not_found"));
});

test("a signing link's token, its visit's cookie and its code are not stored in links, sessions or queued jobs", async ({
  workspace,
}) => {
  const envelope = await sent(workspace, [{ name: "Ann", codeRequired: true }]);
  const ctx = memberOf(workspace);
  const signerId = envelope.signers[0].id;
  const { url } = await asMember(ctx, "copyLink", { envelopeId: envelope.id, signerId });
  const token = url.split("/").at(-1);
  expect(token).toMatch(/^[\w-]{43}$/);
  const visit = await visitBy(url);
  await visit.act("requestCode");
  const entered = await codeFor(envelope.signers[0].email);
  const rows = await database().prisma.$queryRaw<{ said: string }[]>`
    SELECT row_to_json(l)::text AS said FROM signer_links l WHERE signer_id = ${signerId}
    UNION ALL SELECT row_to_json(s)::text FROM signer_sessions s WHERE signer_id = ${signerId}
    UNION ALL SELECT payload::text FROM graphile_worker._private_jobs`;
  expect(visit.cookie).toMatch(/^[\w-]{43}$/);
  const asBytes = (secret: string) => Buffer.from(secret).toString("hex");
  for (const { said } of rows) {
    for (const secret of [token, visit.cookie]) {
      for (const form of [secret, asBytes(secret)]) expect(said).not.toContain(form);
    }
    // Six digits may also be part of a hash, an id or a time.
    expect(said).not.toMatch(new RegExp(`(?<![\\w.:-])${entered}(?![\\w.:-])|${asBytes(entered!)}`));
  }
});

test("a code works only in the visit that requested it, and only until five wrong attempts", async ({
  workspace,
}) => {
  const envelope = await sent(workspace, [{ name: "Ann", codeRequired: true }]);
  const ann = await signerAt(workspace, envelope);
  expect(await ann.state()).toMatchObject({ screen: "code", document: null, fields: [], message: null });
  await expect(ann.act("document")).rejects.toMatchObject(refusal("invalid_transition"));
  await expect(ann.act("verifyCode", { code: "000000" })).rejects.toMatchObject(
    refusal("invalid_transition"),
  );
  await ann.act("requestCode");
  const right = await codeFor(envelope.signers[0].email);
  const wrong = right === "123456" ? "654321" : "123456";
  for (const left of ["4 attempts are", "3 attempts are", "2 attempts are", "1 attempt is"]) {
    await expect(ann.act("verifyCode", { code: wrong })).rejects.toMatchObject(
      refusal("invalid_transition", left),
    );
  }
  await expect(ann.act("verifyCode", { code: wrong })).rejects.toMatchObject(
    refusal("invalid_transition", "no longer valid"),
  );
  await expect(ann.act("verifyCode", { code: right })).rejects.toMatchObject(
    refusal("invalid_transition", "no longer valid"),
  );
  const types = await typesOf(workspace, envelope.id);
  expect(types.filter((type) => type === "CODE_FAILED")).toHaveLength(5);
  await ann.act("requestCode");
  await expect.poll(() => codeFor(envelope.signers[0].email), { timeout: 60_000 }).not.toBe(right);
  const { state } = await ann.act("verifyCode", { code: await codeFor(envelope.signers[0].email) });
  expect(state).toMatchObject({ screen: "consent", document: { fileName: "agreement.pdf" } });
  expect((await (await signerAt(workspace, envelope)).state()).screen).toBe("code");
});

test("reminders go to the signer whose turn it is, after 3 days and then every 5, at most 5 times", async ({
  workspace,
}) => {
  const envelope = await sent(workspace, [{ name: "Ann" }, { name: "Ben", orderIndex: 1 }]);
  const days = (count: number) => new Date(Date.now() + count * 24 * hourMs);
  const where = { organizationId: workspace.organizationId, id: envelope.signers[0].id };
  const reminders = async () => (await reader().signer.findFirstOrThrow({ where })).reminderCount;
  const seen: number[] = [];
  for (const day of [2.9, 3.1, 7, 8.2, 13.3, 18.4, 23.5, 28.6, 60]) {
    await remindDue(systemContext(workspace.organizationId, "calendar", days(day)), envelope.id);
    seen.push(await reminders());
  }
  expect(seen).toEqual([0, 1, 1, 2, 3, 4, 5, 5, 5]);
  const reminded = async () =>
    (await typesOf(workspace, envelope.id)).filter((type) => type === "REMINDED").length;
  await expect.poll(reminded, { timeout: 60_000 }).toBe(5);
  const again = asMember(memberOf(workspace), "remind", { envelopeId: envelope.id });
  await expect(again).rejects.toMatchObject(refusal("conflict"));
});

test("another workspace can neither find nor change a signature request", async ({ workspace, other }) => {
  const envelope = await sent(workspace, [{ name: "Ann" }]);
  const stranger = memberOf(other);
  const signerId = envelope.signers[0].id;
  const inputs = {
    progress: {},
    updateDraft: { subject: "Mine" },
    check: {},
    send: {},
    discardDraft: {},
    duplicateAsDraft: {},
    remind: {},
    correctSigner: { signerId, name: "Mallory" },
    extend: { deadline: soon() },
    void: { reason: "Mine" },
    copyLink: { signerId },
    openOwnLink: { signerId },
    retrySealing: {},
    placeAnchors: {},
  } as const;
  for (const [name, input] of Object.entries(inputs)) {
    const asked = asMember(stranger, name as keyof typeof inputs, { envelopeId: envelope.id, ...input });
    await expect(asked, name).rejects.toMatchObject(refusal("not_found"));
  }
  const { contract } = await contractWithPdf(other);
  const { envelope: mine } = await asMember(stranger, "createDraft", { contractId: contract.id });
  const signers = [{ id: signerId, name: "Ann", email: "ann@signers.example" }];
  const stolen = asMember(stranger, "updateDraft", { envelopeId: mine.id, signers });
  await expect(stolen).rejects.toMatchObject({ issues: [{ path: "signers.0.id" }] });
});

test("a discarded draft is gone, and a request that was sent cannot be discarded", async ({ workspace }) => {
  const ctx = memberOf(workspace);
  const { id } = await draft(workspace, [{ name: "Ann" }]);
  await asMember(ctx, "discardDraft", { envelopeId: id });
  expect((await workspace.api(`GET /signatures/${id}`)).status).toBe(404);
  const envelope = await sent(workspace, [{ name: "Ann" }]);
  const discarded = asMember(ctx, "discardDraft", { envelopeId: envelope.id });
  await expect(discarded).rejects.toMatchObject(refusal("invalid_transition"));
});
