/** What keeps one signer from acting as another, whatever their browser sends. */
import { change } from "#lib/core/change.ts";
import { database } from "#lib/core/db.ts";
import { addEvent } from "#lib/signatures/events.ts";
import { maxCodes } from "#lib/signatures/sign/codes.ts";
import { expect, test } from "../fixtures.ts";
import { asMember, mailsTo, memberOf, sent, signerAt, type visitBy } from "../signing.ts";

const codeNeeded = { code: "invalid_transition", message: "Enter the code from your e-mail first." };

async function codeFor(address: string): Promise<string | undefined> {
  const mails = () => mailsTo(address, / is your code/);
  await expect.poll(async () => (await mails()).length, { timeout: 60_000 }).toBeGreaterThan(0);
  return /Your code is (\d{6})/.exec((await mails()).at(-1)!)?.[1];
}

/** Returns all database rows of a request. */
async function rowsOf({ organizationId }: { organizationId: string }, envelopeId: string) {
  const { prisma } = database();
  const where = { organizationId, envelopeId };
  const [envelope, signers, fields] = await Promise.all([
    prisma.envelope.findFirstOrThrow({ where: { organizationId, id: envelopeId } }),
    prisma.signer.findMany({ where, orderBy: { id: "asc" } }),
    prisma.signatureField.findMany({ where, orderBy: { id: "asc" } }),
  ]);
  // These change when mails are sent meanwhile, because each mail is an event.
  const { eventCount: _, eventHash: __, updatedAt: ___, ...rest } = envelope;
  return { envelope: rest, signers, fields };
}

test("without the e-mailed code, no one can consent, adopt a signature, save, sign, decline or delegate", async ({
  workspace,
}) => {
  const envelope = await sent(workspace, [{ name: "Ann", codeRequired: true }, { name: "Ben" }]);
  const { consentHash } = await import("#lib/signatures/sign/consent.ts");
  const thief = await signerAt(workspace, envelope);
  const acts: [Parameters<typeof thief.act>[0], object][] = [
    ["consent", { hash: consentHash }],
    ["decline", { reason: "Mine now" }],
    ["delegate", { name: "Mallory", email: "mallory@signers.example" }],
  ];
  const before = await rowsOf(workspace, envelope.id);
  for (const [name, input] of acts) {
    await expect(thief.act(name, input), name).rejects.toMatchObject(codeNeeded);
  }
  expect(await rowsOf(workspace, envelope.id)).toEqual(before);
  // Even after Ann herself has entered and filled in everything, the other visit can do nothing more than before.
  const ann = await signerAt(workspace, envelope);
  await ann.act("requestCode");
  await ann.act("verifyCode", { code: await codeFor(envelope.signers[0].email) });
  await ann.fill();
  const { fields } = await ann.state();
  const [text] = fields.filter(({ type }: { type: string }) => type === "TEXT");
  const values = [{ fieldId: text.id, value: "Mallory" }];
  const later: typeof acts = [
    ...acts,
    ["adoptSignature", { kind: "typed", text: "Mallory" }],
    ["previewSignature", { text: "Mallory", as: "signature" }],
    ["saveValues", { values }],
    ["finish", { values }],
    ["finish", {}],
  ];
  const filled = await rowsOf(workspace, envelope.id);
  for (const [name, input] of later) {
    await expect(thief.act(name, input), name).rejects.toMatchObject(codeNeeded);
  }
  const { signature } = await ann.state();
  for (const [name, input] of [
    ["document", {}],
    ["download", {}],
    ["picture", { mark: signature.mark }],
  ] as const) {
    await expect(thief.act(name, input), name).rejects.toMatchObject({ code: "invalid_transition" });
  }
  expect(await thief.state()).toMatchObject({ screen: "code", document: null, fields: [], message: null });
  expect(await rowsOf(workspace, envelope.id)).toEqual(filled);
  expect((await ann.act("finish")).state.screen).toBe("done");
});

test("without the e-mailed code, a link reveals no message, address, other signer's name or decline reason", async ({
  workspace,
}) => {
  const people = [{ name: "Ann", codeRequired: true }, { name: "Benedicta" }];
  const envelope = await sent(workspace, people, { subject: "Lease", message: "Between us" });
  const secrets = ["Between us", "Benedicta", envelope.signers[0].email, "Not these terms"];
  const thief = await signerAt(workspace, envelope);
  const locked = await thief.state();
  expect(locked).toMatchObject({ screen: "code", subject: "Lease", message: null, people: [] });
  expect(locked.signer).toMatchObject({ name: "Ann", email: locked.code.address });
  for (const secret of secrets) expect(JSON.stringify(locked), secret).not.toContain(secret);
  const inOrder = await sent(workspace, [
    { name: "Ann" },
    { name: "Ben", codeRequired: true, orderIndex: 2 },
  ]);
  const early = await signerAt(workspace, inOrder, 1);
  await expect(early.act("decline", { reason: "No" }), "who signs first").rejects.toMatchObject(codeNeeded);
  const ann = await signerAt(workspace, envelope);
  await ann.act("requestCode");
  const { state } = await ann.act("verifyCode", { code: await codeFor(envelope.signers[0].email) });
  expect(state).toMatchObject({ message: "Between us", signer: { email: envelope.signers[0].email } });
  await ann.act("decline", { reason: "Not these terms" });
  expect((await ann.state()).ending).toMatchObject({ by: "Ann", reason: "Not these terms" });
  const after = await thief.state();
  expect(after.screen).toBe("declined");
  for (const secret of secrets) expect(JSON.stringify(after), secret).not.toContain(secret);
});

test("codes are sent only when one is needed, and at most 40 for a signer's place, even after delegation", async ({
  workspace,
}) => {
  const people = [
    { name: "Ann", codeRequired: true },
    { name: "Ben", codeRequired: true, orderIndex: 2 },
  ];
  const envelope = await sent(workspace, people);
  const nothing = { code: "invalid_transition", message: /No code is needed now/ };
  await expect((await signerAt(workspace, envelope, 1)).act("requestCode")).rejects.toMatchObject(nothing);
  const ann = await signerAt(workspace, envelope);
  const { ctx } = workspace;
  const signerId = envelope.signers[0].id;
  await change(ctx, async (tx) => {
    for (let index = 0; index < maxCodes - 1; index++) {
      await addEvent(tx, ctx, { envelopeId: envelope.id, signerId, type: "CODE_SENT" });
    }
  });
  await ann.act("requestCode");
  await ann.act("verifyCode", { code: await codeFor(envelope.signers[0].email) });
  await ann.act("delegate", { name: "Cleo", email: `cleo-${envelope.id}@signers.example` });
  await expect(ann.act("requestCode")).rejects.toMatchObject(nothing);
  const { envelope: now } = await asMember(memberOf(workspace), "progress", { envelopeId: envelope.id });
  const names: string[] = now.signers.map(({ name }: { name: string }) => name);
  const cleo = await signerAt(workspace, now, names.indexOf("Cleo"));
  expect((await cleo.state()).screen).toBe("code");
  await expect(cleo.act("requestCode")).rejects.toMatchObject({
    code: "invalid_transition",
    message: "40 codes have been sent, which is the limit. Ask the sender for a new request.",
  });
});

test("a signer cannot write another signer's fields, by saving or by signing", async ({ workspace }) => {
  const envelope = await sent(workspace, [{ name: "Ann" }, { name: "Ben" }]);
  const elsewhere = await sent(workspace, [{ name: "Ann" }]);
  const ann = await signerAt(workspace, envelope, 0);
  const ben = await signerAt(workspace, envelope, 1);
  await ann.fill();
  await ben.fill();
  const textOf = (request: typeof envelope, signerId: string) =>
    request.fields.find((one: { signerId: string; type: string }) => {
      return one.signerId === signerId && one.type === "TEXT";
    }).id;
  const [annsId, bensId] = envelope.signers.map(({ id }: { id: string }) => id);
  const before = await rowsOf(workspace, envelope.id);
  for (const fieldId of [textOf(envelope, bensId), textOf(elsewhere, elsewhere.signers[0].id)]) {
    const values = [
      { fieldId: textOf(envelope, annsId), value: "Ann's own" },
      { fieldId, value: "Not hers" },
    ];
    for (const name of ["saveValues", "finish"] as const) {
      await expect(ann.act(name, { values }), name).rejects.toMatchObject({
        code: "validation_error",
        issues: [{ path: `values.${fieldId}`, message: "is not one of your fields" }],
      });
    }
  }
  expect(await rowsOf(workspace, envelope.id), "not even the field that is hers").toEqual(before);
});

test("a signer cannot act out of turn, after signing, or once the request has ended", async ({
  workspace,
}) => {
  const envelope = await sent(workspace, [{ name: "Ann" }, { name: "Ben", orderIndex: 1 }]);
  const { consentHash } = await import("#lib/signatures/sign/consent.ts");
  const acts = [
    ["consent", { hash: consentHash }],
    ["adoptSignature", { kind: "typed", text: "Early" }],
    ["previewSignature", { text: "Early", as: "signature" }],
    ["saveValues", { values: [] }],
    ["finish", {}],
    ["decline", { reason: "Early" }],
    ["delegate", { name: "Mallory", email: "mallory@signers.example" }],
  ] as const;
  const refusesAll = async (who: Awaited<ReturnType<typeof visitBy>>, message: string) => {
    const before = await rowsOf(workspace, envelope.id);
    for (const [name, input] of acts) {
      const refused = { code: "invalid_transition", message: expect.stringContaining(message) };
      await expect(who.act(name, input), name).rejects.toMatchObject(refused);
    }
    expect(await rowsOf(workspace, envelope.id)).toEqual(before);
  };
  const [ann, ben] = [await signerAt(workspace, envelope, 0), await signerAt(workspace, envelope, 1)];
  await refusesAll(ben, "It is not your turn yet");
  await ann.sign();
  await refusesAll(ann, "You have already signed");
  await ben.fill();
  await asMember(memberOf(workspace), "void", { envelopeId: envelope.id, reason: "Off" });
  const link = ben.act("finish");
  await expect(link).rejects.toMatchObject({ code: expect.stringMatching(/forbidden|invalid_transition/) });
  expect((await rowsOf(workspace, envelope.id)).signers.map(({ signedAt }) => signedAt !== null)).toEqual([
    true,
    false,
  ]);
});
