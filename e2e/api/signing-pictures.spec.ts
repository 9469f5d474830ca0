/** What signers see of signatures before they are stamped: their own, and those of others who have signed. */

import { database } from "#lib/core/db.ts";
import { outlineOf } from "#lib/documents/stamp/outline.ts";
import { expect, test } from "../fixtures.ts";
import { scribble } from "../sealing.ts";
import { asMember, memberOf, sent, signerAt, type visitBy } from "../signing.ts";

type Signer = Awaited<ReturnType<typeof visitBy>>;

// biome-ignore lint/suspicious/noExplicitAny: as in the response.
type Field = any;

const box = { width: 180, height: 50 };
const unseen = { code: "not_found" };

/** Returns another signer's field of this type, as the page shows it. */
const othersOf = async (signer: Signer, type: string): Promise<Field> =>
  (await signer.state()).others.find((field: Field) => field.type === type);

test("a signer's signature and fields are shown to others only once they have signed, as they will be stamped", async ({
  workspace,
}) => {
  const envelope = await sent(workspace, [{ name: "Ann" }, { name: "Ben" }]);
  const [ann, ben] = [await signerAt(workspace, envelope, 0), await signerAt(workspace, envelope, 1)];
  await ann.fill();
  const { signature } = await ann.state();
  const { outline } = await ann.act("picture", { mark: signature.mark });
  const { missing: _, ...expected } = outlineOf({ typed: "A. Signer" });
  expect(outline).toEqual(expected);
  // Not before: neither the mark, nor the picture to someone who knows the mark.
  expect(await othersOf(ben, "SIGNATURE")).toMatchObject({ hasSigned: false, mark: null });
  expect(await othersOf(ben, "TEXT")).toMatchObject({ mark: null });
  expect(await othersOf(ben, "CHECKBOX")).toMatchObject({ checked: null });
  await expect(ben.act("picture", { mark: signature.mark })).rejects.toMatchObject(unseen);
  await ann.act("finish");
  expect(await othersOf(ben, "SIGNATURE")).toMatchObject({ hasSigned: true, mark: signature.mark });
  expect((await ben.act("picture", { mark: signature.mark })).outline).toEqual(expected);
  const { mark } = await othersOf(ben, "TEXT");
  const text = await ben.act("picture", { mark, box });
  const { missing: __, ...words } = outlineOf({ text: "Head of purchasing", ...box });
  expect(text).toEqual({ outline: words, png: null, text: "Head of purchasing" });
  await expect(ben.act("picture", { mark })).rejects.toMatchObject({ issues: [{ path: "box" }] });
  expect(await othersOf(ben, "CHECKBOX")).toMatchObject({ checked: false, mark: null });
});

test("a drawn signature is shown as it is stored, after a reload and to the next signer", async ({
  workspace,
}) => {
  const envelope = await sent(workspace, [{ name: "Ann" }, { name: "Ben", orderIndex: 1 }]);
  const ann = await signerAt(workspace, envelope, 0);
  await ann.fill();
  await ann.act("adoptSignature", { kind: "drawn", image: scribble(300, 90) });
  const { mark } = (await (await signerAt(workspace, envelope, 0)).state()).signature;
  const { png } = await ann.act("picture", { mark });
  expect(Buffer.from(png, "base64").subarray(1, 4).toString()).toBe("PNG");
  const early = await signerAt(workspace, envelope, 1);
  await expect(early.act("picture", { mark }), "while the document is not shown").rejects.toMatchObject({
    code: "invalid_transition",
  });
  await ann.act("finish");
  expect((await early.act("picture", { mark })).png).toBe(png);
});

test("a signature cannot be viewed from another request, without the code, or after the request is voided", async ({
  workspace,
}) => {
  const [envelope, elsewhere] = [
    await sent(workspace, [{ name: "Ann" }, { name: "Ben", codeRequired: true }, { name: "Cleo" }]),
    await sent(workspace, [{ name: "Ann" }, { name: "Dora" }]),
  ];
  const ann = await signerAt(workspace, envelope, 0);
  const { signature } = await ann.sign();
  const dora = await signerAt(workspace, elsewhere, 1);
  await expect(dora.act("picture", { mark: signature.mark })).rejects.toMatchObject(unseen);
  const ben = await signerAt(workspace, envelope, 1);
  await expect(ben.act("picture", { mark: signature.mark })).rejects.toMatchObject({
    code: "invalid_transition",
  });
  expect((await ben.state()).others).toEqual([]);
  const cleo = await signerAt(workspace, envelope, 2);
  expect((await cleo.act("picture", { mark: signature.mark })).outline).not.toBeNull();
  await asMember(memberOf(workspace), "void", { envelopeId: envelope.id, reason: "Off" });
  await expect(cleo.act("picture", { mark: signature.mark })).rejects.toMatchObject({
    code: expect.stringMatching(/forbidden|invalid_transition/),
  });
});

test("the API reports a signature field as filled, without its value or image", async ({ workspace }) => {
  const envelope = await sent(workspace, [{ name: "Ann" }, { name: "Ben" }]);
  await (await signerAt(workspace, envelope, 0)).sign();
  const { body } = await workspace.api(`GET /signatures/${envelope.id}`);
  const field = body.envelope.fields.find((one: Field) => one.type === "SIGNATURE" && one.filled);
  expect(field.value).toBeNull();
  expect(JSON.stringify(body)).not.toMatch(/"mark"|outline/);
});

test("characters that no font has are refused in typed signatures and initials, and nothing is adopted", async ({
  workspace,
}) => {
  const envelope = await sent(workspace, [{ name: "Ann 😀" }]);
  const ann = await signerAt(workspace, envelope);
  const { consent } = await ann.state();
  await ann.act("consent", { hash: consent.hash });
  const both = { kind: "typed", text: "Ann 😀 ส", initialsText: "A😀" };
  const signature =
    "😀 and ส cannot be written in a signature. Leave them out, draw your signature or upload an image.";
  const initials = "😀 cannot be written in initials. Leave it out.";
  await expect(ann.act("adoptSignature", both)).rejects.toMatchObject({
    code: "validation_error",
    issues: [
      { path: "text", message: signature },
      { path: "initialsText", message: initials },
    ],
  });
  const drawn = { kind: "drawn", image: scribble(30, 20), initialsText: "A😀" };
  await expect(ann.act("adoptSignature", drawn)).rejects.toMatchObject({
    issues: [{ path: "initialsText" }],
  });
  await expect(ann.act("adoptSignature", { kind: "typed", text: "\u2060" })).rejects.toMatchObject({
    issues: [{ path: "text", message: "This text cannot be seen. Type something visible." }],
  });
  expect((await ann.state()).signature).toMatchObject({ kind: null, mark: null, initialsMark: null });
  expect(await ann.act("previewSignature", { text: "Ann 😀 ส", as: "signature" })).toMatchObject({
    problem: signature,
  });
  expect((await ann.act("previewSignature", { text: "김민준", as: "signature" })).problem).toBeNull();
  await expect(ann.act("previewSignature", { text: "x".repeat(101), as: "signature" })).rejects.toMatchObject(
    { issues: [{ path: "text" }] },
  );
});

test("a signature adopted before unsupported characters were refused can still be used to sign", async ({
  workspace,
}) => {
  const envelope = await sent(workspace, [{ name: "Ann" }, { name: "Ben" }]);
  const ann = await signerAt(workspace, envelope);
  await ann.fill();
  const where = {
    organizationId_id: { organizationId: workspace.organizationId, id: envelope.signers[0].id },
  };
  await database().prisma.signer.update({ where, data: { signatureText: "Ann 😀" } });
  const { signature } = await ann.state();
  expect((await ann.act("picture", { mark: signature.mark })).outline.path).not.toBe("");
  expect((await ann.act("finish")).state.screen).toBe("done");
});

test("a signature preview is refused before consent and before the signer's turn", async ({ workspace }) => {
  const envelope = await sent(workspace, [{ name: "Ann" }, { name: "Ben", orderIndex: 1 }]);
  const typed = { text: "Ben", as: "signature" };
  const ann = await signerAt(workspace, envelope, 0);
  await expect(ann.act("previewSignature", typed)).rejects.toThrow("Agree to sign electronically first.");
  const ben = await signerAt(workspace, envelope, 1);
  await expect(ben.act("previewSignature", typed)).rejects.toThrow("It is not your turn yet");
});
