/** Signing links outside of e-mail: who can get one, and what is recorded about it. */
import { reader } from "#lib/core/change.ts";
import { type Context, systemContext } from "#lib/core/context.ts";
import { database } from "#lib/core/db.ts";
import type { Role } from "#lib/core/scopes.ts";
import { chainOf } from "#lib/signatures/events.ts";
import { findRow } from "#lib/signatures/rows.ts";
import { evidenceOf } from "#lib/signatures/seal/evidence.ts";
import { expect, test, type Workspace } from "../fixtures.ts";
import { code, signedIn } from "../members.ts";
import { asMember, draft, mailsTo, memberOf, sent, signerAt, visitBy } from "../signing.ts";

const typesOf = async (workspace: Workspace, envelopeId: string) =>
  (await chainOf(reader(), workspace.ctx, envelopeId)).map(({ type }) => type);

const actions = async (workspace: Workspace) =>
  (await workspace.api("GET /audit-events?limit=200")).body.data.map(
    ({ action }: { action: string }) => action,
  );

test("a signing link can be copied by the sender, an owner or an admin, and by no other member", async ({
  workspace,
}) => {
  const envelope = await sent(workspace, [{ name: "Ann" }]);
  const link = { envelopeId: envelope.id, signerId: envelope.signers[0].id };
  for (const [role, answer] of [
    ["owner", "200"],
    ["admin", "200"],
    ["member", "403 forbidden"],
    ["viewer", "403 forbidden"],
  ] as const) {
    const member = await signedIn(workspace, role);
    const reply = await member.call("signatures.copyLink", link);
    expect([role, code(reply)]).toEqual([role, answer]);
  }
  // The sender can, even as a plain member.
  const sender = await signedIn(workspace, "member");
  const own = await draft(workspace, [{ name: "Ben" }]);
  expect((await sender.call("signatures.send", { envelopeId: own.id })).status).toBe(200);
  const reply = await sender.call("signatures.copyLink", {
    envelopeId: own.id,
    signerId: own.signers[0].id,
  });
  expect(code(reply)).toBe("200");
});

test("a signer's address can be corrected by the sender, an owner or an admin, and by no other member", async ({
  workspace,
}) => {
  const envelope = await sent(workspace, [{ name: "Ann" }]);
  const signer = { envelopeId: envelope.id, signerId: envelope.signers[0].id };
  const correct = (ctx: Context, correction: object) =>
    asMember(ctx, "correctSigner", { ...signer, ...correction });
  const other = (role: Role): Context => ({
    ...memberOf(workspace, { role }),
    actor: { kind: "user", id: "usr_other", name: "Cole", email: "cole@test.example", role },
  });
  const colleague = other("member");
  await expect(correct(colleague, { email: "mallory@signers.example" })).rejects.toMatchObject({
    code: "forbidden",
    message: "A signer's address can be corrected by the sender of the request, an owner or an admin.",
  });
  const { envelope: before } = await asMember(colleague, "progress", { envelopeId: envelope.id });
  expect(before.signers[0].email).toBe(envelope.signers[0].email);
  for (const role of ["owner", "admin"] as const) {
    const email = `ann@${role}.example`;
    expect((await correct(other(role), { email })).envelope.signers[0].email).toBe(email);
  }
  // The sender can, even as a plain member.
  const { envelope: after } = await correct(memberOf(workspace, { role: "member" }), {
    email: "ann@signers.example",
  });
  expect(after.signers[0].email).toBe("ann@signers.example");
});

test("a signing link opens at most 120 visits an hour, and then states how long to wait", async ({
  workspace,
}) => {
  const envelope = await sent(workspace, [{ name: "Ann" }]);
  const { url } = await asMember(memberOf(workspace), "copyLink", {
    ...{ envelopeId: envelope.id, signerId: envelope.signers[0].id },
  });
  for (let visit = 0; visit < 120; visit++) await visitBy(url);
  await expect(visitBy(url)).rejects.toMatchObject({
    code: "rate_limited",
    message: /This link was opened too often\. Try again in \d+ minutes?\./,
  });
});

test("a member who has left can no longer sign for the workspace, by a link or in an open visit", async ({
  workspace,
}) => {
  const owner = await signedIn(workspace, "owner");
  const leaver = await signedIn(workspace, "member");
  const envelope = await sent(workspace, [{ userId: leaver.userId }]);
  const visit = await signerAt(workspace, envelope);
  expect((await visit.state()).screen).toBe("consent");
  expect(code(await owner.call("members.remove", { memberId: leaver.memberId }))).toBe("204");
  await expect(visit.state()).rejects.toThrow(/Your session has ended/);
  await expect(signerAt(workspace, envelope)).rejects.toThrow(/This link does not work/);
});

test("no one can copy a member's signing link, whether they were added as a member or by address", async ({
  workspace,
}) => {
  const owner = await signedIn(workspace, "owner");
  const envelope = await sent(workspace, [
    { userId: owner.userId },
    { name: "Not the owner", email: (await signedIn(workspace, "member")).email.toUpperCase() },
  ]);
  for (const { id: signerId } of envelope.signers) {
    for (const role of ["owner", "admin"] as const) {
      const member = await signedIn(workspace, role);
      const reply = await member.call("signatures.copyLink", { envelopeId: envelope.id, signerId });
      expect(code(reply)).toBe("403 forbidden");
      expect(reply.body.error.message).toContain("is a member of this workspace");
      expect(code(await member.call("signatures.openOwnLink", { envelopeId: envelope.id, signerId }))).toBe(
        "403 forbidden",
      );
    }
  }
  // Not even their own: as a copied link, it would be recorded wrongly.
  const own = { envelopeId: envelope.id, signerId: envelope.signers[0].id };
  expect(code(await owner.call("signatures.copyLink", own))).toBe("403 forbidden");
  expect(await typesOf(workspace, envelope.id)).not.toContain("LINK_COPIED");
});

test("copying a link is recorded in the history and the audit log, and the signer is notified by e-mail", async ({
  workspace,
}) => {
  const envelope = await sent(workspace, [{ name: "Ann" }, { name: "Ben", orderIndex: 1 }]);
  const { id: signerId, email } = envelope.signers[1];
  const { url } = await asMember(memberOf(workspace), "copyLink", { envelopeId: envelope.id, signerId });
  const types = await typesOf(workspace, envelope.id);
  expect(types.filter((type) => type === "LINK_COPIED")).toHaveLength(1);
  const { body } = await workspace.api("GET /audit-events?action=SIGNATURE_REQUEST_LINK_COPIED");
  expect(body.data).toMatchObject([
    { actor: { id: workspace.ownerId }, payload: { changes: { signer: { from: null, to: "Ben" } } } },
  ]);
  expect(await actions(workspace)).not.toContain("SIGNATURE_REQUEST_REMINDED");
  const told = () => mailsTo(email, /was copied/);
  await expect.poll(async () => (await told()).length, { timeout: 60_000 }).toBe(1);
  const [mail] = await told();
  expect(mail).toContain("Olive Owner");
  expect(mail!.replaceAll("=\r\n", "")).not.toContain(url.split("/").at(-1));
  // Ben was not invited: it is not his turn, and a copied link is not an invitation.
  const chain = await chainOf(reader(), workspace.ctx, envelope.id);
  expect(chain.filter((event) => event.type === "NOTIFIED" && event.signerId === signerId)).toEqual([]);
});

test("a member who signs from the workspace is recorded as verified by session, in history and evidence", async ({
  workspace,
}) => {
  const member = await signedIn(workspace, "member");
  const envelope = await sent(workspace, [{ userId: member.userId }]);
  const { body } = await member.call("signatures.openOwnLink", {
    envelopeId: envelope.id,
    signerId: envelope.signers[0].id,
  });
  expect((await (await visitBy(body.url)).sign()).screen).toBe("done");
  const ctx = systemContext(workspace.organizationId);
  const { signers } = await evidenceOf(
    ctx,
    await findRow(ctx, envelope.id),
    await chainOf(reader(), ctx, envelope.id),
  );
  expect(signers.map(({ verifiedBy }) => verifiedBy)).toEqual(["SESSION"]);
  expect(await typesOf(workspace, envelope.id)).toContain("SESSION_VERIFIED");
});

test("the history records a signer as notified if the e-mail was accepted, and else a failed delivery", async ({
  workspace,
}) => {
  const { id, signers } = await draft(workspace, [{ name: "Ann" }, { name: "Ben" }]);
  // No mail program would send to this address.
  await database().prisma.signer.updateMany({ where: { id: signers[1].id }, data: { email: "no address" } });
  await asMember(memberOf(workspace), "send", { envelopeId: id });
  const told = async () => {
    const chain = await chainOf(reader(), workspace.ctx, id);
    const events = chain.filter(({ type }) => type === "NOTIFIED" || type === "DELIVERY_FAILED");
    return events.map(({ type, signerId, actor }) => `${type} ${signerId} ${actor.kind}`).sort();
  };
  await expect
    .poll(told, { timeout: 60_000 })
    .toEqual([`DELIVERY_FAILED ${signers[1].id} SYSTEM`, `NOTIFIED ${signers[0].id} SYSTEM`]);
});

test("correcting a signer and changing the deadline have audit actions of their own", async ({
  workspace,
}) => {
  const envelope = await sent(workspace, [{ name: "Ann" }]);
  const ctx = memberOf(workspace);
  const { id: envelopeId } = envelope;
  const signerId = envelope.signers[0].id;
  await asMember(ctx, "correctSigner", { envelopeId, signerId, name: "Anna" });
  await asMember(ctx, "extend", { envelopeId, deadline: new Date(Date.now() + 86_400_000).toISOString() });
  const done = await actions(workspace);
  expect(done.slice(0, 2)).toEqual([
    "SIGNATURE_REQUEST_DEADLINE_CHANGED",
    "SIGNATURE_REQUEST_SIGNER_CORRECTED",
  ]);
  expect(done).not.toContain("SIGNATURE_REQUEST_REMINDED");
});
