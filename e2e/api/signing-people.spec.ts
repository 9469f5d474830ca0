/** Signature requests whose people change: who leaves, whose address was wrong, and who is notified instead. */
import { randomUUID } from "node:crypto";
import { reader } from "#lib/core/change.ts";
import { database } from "#lib/core/db.ts";
import { chainOf } from "#lib/signatures/events.ts";
import { deliverSigningMail } from "#lib/signatures/mails.ts";
import { expect, test, type Workspace } from "../fixtures.ts";
import { code, newMember, signedIn } from "../members.ts";
import { mailsTo } from "../outbox.ts";
import { asMember, draft, fieldsOf, memberOf, sent, signerAt } from "../signing.ts";

const longName = "Μαρία-Ελένη Παπαδοπούλου-Κωνσταντινίδη";

const eventsOf = async (workspace: Workspace, envelopeId: string) =>
  (await chainOf(reader(), workspace.ctx, envelopeId)).map(({ type }) => type);

/** Creates a member who has sent a request, and the owner, who removes the member. */
async function sentBy(workspace: Workspace, people: Parameters<typeof draft>[1]) {
  const owner = await signedIn(workspace, "owner");
  const sender = await signedIn(workspace, "member");
  const envelope = await draft(workspace, people);
  expect((await sender.call("signatures.send", { envelopeId: envelope.id })).status).toBe(200);
  const leaves = async () =>
    expect(code(await owner.call("members.remove", { memberId: sender.memberId }))).toBe("204");
  return { owner, sender, envelope, leaves };
}

const subjects = async (address: string, count = 1) =>
  (await mailsTo(address, count)).map(({ subject = "" }) => subject);

test("an action in flight is refused if the signer's link is revoked first, even in an open visit", async ({
  workspace,
}) => {
  const envelope = await sent(workspace, [{ name: longName }]);
  const [{ id: signerId }] = envelope.signers;
  const visit = await signerAt(workspace, envelope);
  const { consent } = await visit.state();
  const { prisma } = database();
  const waiting = () => prisma.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%FROM envelopes%'`;
  const acts = await prisma.$transaction(
    async (tx) => {
      await tx.$queryRaw`SELECT 1 AS locked FROM envelopes WHERE id = ${envelope.id} FOR UPDATE`;
      const acts = [
        visit.act("consent", { hash: consent.hash }),
        visit.act("delegate", { name: "Mallory", email: "mallory@signers.example" }),
        visit.act("decline", { reason: "No" }),
      ].map((act) =>
        act.then(
          () => "done",
          ({ code }) => code,
        ),
      );
      await expect.poll(async () => (await waiting())[0]!.count).toBeGreaterThanOrEqual(acts.length);
      await tx.signerLink.updateMany({ where: { signerId }, data: { revokedAt: new Date() } });
      return acts;
    },
    { timeout: 60_000 },
  );
  expect(await Promise.all(acts)).toEqual(["forbidden", "forbidden", "forbidden"]);
  const after = await eventsOf(workspace, envelope.id);
  for (const type of ["CONSENTED", "VIEWED", "DELEGATED", "DECLINED"]) expect(after).not.toContain(type);
});

test("once the sender has left, the owners are notified of a declined request, and the sender is not", async ({
  workspace,
}) => {
  const { owner, sender, envelope, leaves } = await sentBy(workspace, [{ name: longName }]);
  await leaves();
  await (await signerAt(workspace, envelope)).act("decline", { reason: "The price" });
  expect(await subjects(owner.email)).toEqual([expect.stringContaining("declined to sign")]);
  expect(await subjects(sender.email, 0)).not.toContainEqual(expect.stringContaining("declined to sign"));
});

test("voiding a request notifies its sender, but not the member who voided it", async ({ workspace }) => {
  const { owner, sender, envelope } = await sentBy(workspace, [{ name: longName }]);
  const input = { envelopeId: envelope.id, reason: "Superseded" };
  expect((await owner.call("signatures.void", input)).status).toBe(200);
  expect(await subjects(sender.email)).toEqual([expect.stringContaining("No signature is needed any more")]);
  const own = await sentBy(workspace, [{ userId: owner.userId }]);
  const again = { envelopeId: own.envelope.id, reason: "Superseded" };
  expect((await owner.call("signatures.void", again)).status).toBe(200);
  await subjects(own.sender.email);
  const told = await subjects(owner.email, 0);
  expect(told.filter((subject) => subject.startsWith("No signature"))).toEqual([]);
});

test("a member who signed and then left can still open what they signed", async ({ workspace }) => {
  const owner = await signedIn(workspace, "owner");
  const leaver = await signedIn(workspace, "member");
  const envelope = await sent(workspace, [{ userId: leaver.userId }, { name: longName }]);
  const visit = await signerAt(workspace, envelope);
  await visit.sign();
  expect(code(await owner.call("members.remove", { memberId: leaver.memberId }))).toBe("204");
  expect((await visit.state()).screen).toBe("done");
  expect((await (await signerAt(workspace, envelope)).state()).screen).toBe("done");
});

test("a request cannot be sent to a former member, and an open one can be given to someone else", async ({
  workspace,
}) => {
  const owner = await signedIn(workspace, "owner");
  const leaver = await newMember(workspace, "member", longName);
  const [waiting, out] = [
    await draft(workspace, [{ userId: leaver.userId }]),
    await sent(workspace, [{ userId: leaver.userId }]),
  ];
  expect(code(await owner.call("members.remove", { memberId: leaver.memberId }))).toBe("204");
  const send = asMember(memberOf(workspace), "send", { envelopeId: waiting.id });
  await expect(send).rejects.toMatchObject({
    code: "validation_error",
    issues: [
      {
        path: "signers.0",
        message: `${longName} has left the workspace: add them again by e-mail address, or choose someone else`,
      },
    ],
  });
  const email = "after@signers.example";
  const corrected = { envelopeId: out.id, signerId: out.signers[0].id, name: "李小龍", email };
  const { envelope } = await asMember(memberOf(workspace), "correctSigner", corrected);
  expect(envelope.signers[0]).toMatchObject({ name: "李小龍", email, party: "EXTERNAL" });
  expect((await (await signerAt(workspace, envelope)).sign()).screen).toMatch(/done|completed/);
});

test("correcting a signer's address resets their reminders", async ({ workspace }) => {
  const envelope = await sent(workspace, [{ name: longName }]);
  const [{ id: signerId }] = envelope.signers;
  const later = memberOf(workspace, { now: new Date(Date.now() + 3_600_000) });
  await asMember(later, "remind", { envelopeId: envelope.id });
  const corrected = { envelopeId: envelope.id, signerId, email: "new@signers.example" };
  await asMember(memberOf(workspace, { now: new Date(Date.now() + 3_700_000) }), "correctSigner", corrected);
  const where = { organizationId: workspace.organizationId, id: signerId };
  const signer = await reader().signer.findFirstOrThrow({ where });
  expect([signer.remindedAt, signer.reminderCount]).toEqual([null, 0]);
  const again = memberOf(workspace, { now: new Date(Date.now() + 3_701_000) });
  await expect(asMember(again, "remind", { envelopeId: envelope.id })).rejects.toMatchObject({
    code: "conflict",
  });
});

test("a queued signing e-mail is dropped once its request is voided, and not recorded as failed", async ({
  workspace,
}) => {
  const envelope = await sent(workspace, [{ name: longName }]);
  const [{ id: signerId }] = envelope.signers;
  const { prisma } = database();
  const { organizationId } = workspace;
  const waited = async (id: string) => {
    const mail = { organizationId, id, envelopeId: envelope.id, signerId, address: "typo@signers.example" };
    await prisma.signingMail.create({
      data: { ...mail, template: "signing-request", createdAt: new Date() },
    });
    await deliverSigningMail({ organizationId, mailId: id, at: new Date().toISOString() });
    return prisma.signingMail.findFirst({ where: { organizationId, id } });
  };
  await asMember(memberOf(workspace), "void", { envelopeId: envelope.id, reason: "Superseded" });
  expect(await waited(randomUUID())).toBeNull();
  expect(await eventsOf(workspace, envelope.id)).not.toContain("DELIVERY_FAILED");
});

test("initials that are no longer adopted do not fill their fields, and invisible characters are not text", async ({
  workspace,
}) => {
  const { id: envelopeId, signers } = await draft(workspace, [{ name: longName }]);
  const [{ id: signerId }] = signers;
  const place = { pageIndex: 0, xPct: 60, yPct: 60, wPct: 10, hPct: 5 };
  const fields = [...fieldsOf(signerId, 0), { signerId, type: "INITIALS", ...place }];
  await asMember(memberOf(workspace), "updateDraft", { envelopeId, fields });
  const { envelope } = await asMember(memberOf(workspace), "send", { envelopeId });
  const visit = await signerAt(workspace, envelope);
  await visit.fill();
  const own = (type: string) => envelope.fields.find((field: { type: string }) => field.type === type).id;
  const unseen = visit.act("saveValues", { values: [{ fieldId: own("TEXT"), value: "\u200b\u2060" }] });
  await expect(unseen).rejects.toMatchObject({ code: "validation_error" });
  await visit.act("adoptSignature", { kind: "typed", text: "M. P.", initialsText: "MP" });
  await visit.act("saveValues", { values: [{ fieldId: own("INITIALS"), value: true }] });
  await visit.act("adoptSignature", { kind: "typed", text: "M. P." });
  await expect(visit.act("finish")).rejects.toMatchObject({
    code: "validation_error",
    issues: [{ path: `values.${own("INITIALS")}`, message: "is required" }],
  });
});
