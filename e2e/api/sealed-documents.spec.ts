/** Documents from draft to sealed PDF: what other programs say about them, and what ours does. */
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { reader } from "#lib/core/change.ts";
import { systemContext } from "#lib/core/context.ts";
import { degrees, PDFDocument } from "#lib/documents/pdf/pdf-lib.ts";
import { chainOf } from "#lib/signatures/events.ts";
import { findRow } from "#lib/signatures/rows.ts";
import { evidenceOf } from "#lib/signatures/seal/evidence.ts";
import { verifyPdf } from "#lib/signatures/verify/verification.ts";
import { expect, test, type Workspace } from "../fixtures.ts";
import { expectSealed, inFolder, pdfsig } from "../sealed.ts";
import { scribble } from "../sealing.ts";
import { asMember, contractWithPdf, mailsTo, memberOf, sent, signerAt, visitBy } from "../signing.ts";

const run = promisify(execFile);

/** `SEALED_DOCUMENTS=100 npm test -- --project=api sealed-documents` creates a hundred. */
const count = Number(process.env.SEALED_DOCUMENTS ?? 6);

/** How the document's one page is rotated, and whether it is cropped. */
const kindOf = (index: number) => ({ turn: [0, 90, 180, 270][index % 4]!, isCropped: index % 3 === 1 });
const signers = [{ name: "Ελένη Παπαδοπούλου" }, { name: "김민준" }];

async function page(index: number): Promise<Uint8Array> {
  const { turn, isCropped } = kindOf(index);
  const document = await PDFDocument.create();
  const page = document.addPage([600, 800]);
  page.drawText(`Agreement ${index} ${Math.random()}`, { x: 200, y: 500, size: 14 });
  page.setRotation(degrees(turn));
  if (isCropped) page.setCropBox(100, 150, 400, 500);
  return document.save();
}

/** The position of each signer's name, in percent of the page as displayed. */
const nameAt = (index: number) => ({ xPct: 10, yPct: 30 + 30 * index, wPct: 60, hPct: 6 });

async function sentWith(workspace: Workspace, index: number) {
  const ctx = memberOf(workspace);
  const { contract } = await contractWithPdf(workspace, await page(index));
  const { envelope } = await asMember(ctx, "createDraft", { contractId: contract.id });
  const people = signers.map((signer, at) => ({
    ...signer,
    email: `signer${at}.${index}@signers.example`,
    // One after another, or all at once.
    orderIndex: index % 2 === 0 ? at : 0,
  }));
  const draft = (await asMember(ctx, "updateDraft", { envelopeId: envelope.id, signers: people })).envelope;
  const fields = draft.signers.flatMap(({ id }: { id: string }, at: number) => [
    { signerId: id, type: "NAME", pageIndex: 0, ...nameAt(at) },
    { signerId: id, type: "SIGNATURE", pageIndex: 0, ...nameAt(at), yPct: 15 + 30 * at },
  ]);
  await asMember(ctx, "updateDraft", { envelopeId: envelope.id, fields });
  return (await asMember(ctx, "send", { envelopeId: envelope.id })).envelope;
}

/** The first signer types the name, the second draws it. */
async function signAll(workspace: Workspace, envelope: Awaited<ReturnType<typeof sentWith>>) {
  for (const [index, { name }] of signers.entries()) {
    const signer = await signerAt(workspace, envelope, index);
    const { consent } = await signer.state();
    await signer.act("consent", { hash: consent.hash });
    const signature = index === 0 ? { kind: "typed", text: name } : { kind: "drawn", image: scribble() };
    const { fields } = (await signer.act("adoptSignature", signature)).state;
    const { id } = fields.find(({ type }: { type: string }) => type === "SIGNATURE");
    await signer.act("finish", { values: [{ fieldId: id, value: true }] });
  }
}

interface Word {
  text: string;
  xPct: number;
  yPct: number;
}

/** Returns the words of the first page, with the position of their centers on the page as displayed. */
async function wordsOf(path: string, index: number): Promise<Word[]> {
  const { turn, isCropped } = kindOf(index);
  const upright = isCropped ? [400, 500] : [600, 800];
  const [width, height] = turn % 180 === 0 ? upright : upright.toReversed();
  const args = ["-bbox", "-cropbox", "-f", "1", "-l", "1", path, "-"];
  const { stdout } = await run("pdftotext", args);
  const word = /<word xMin="([\d.-]+)" yMin="([\d.-]+)" xMax="([\d.-]+)" yMax="([\d.-]+)">(.*?)<\/word>/g;
  return [...stdout.matchAll(word)].map(([, xMin, yMin, xMax, yMax, text]) => ({
    text: text!,
    xPct: ((Number(xMin) + Number(xMax)) / 2 / width!) * 100,
    yPct: ((Number(yMin) + Number(yMax)) / 2 / height!) * 100,
  }));
}

/** Expects the text to be correct, and each name to be where its field was. */
async function expectNames(path: string, document: number): Promise<void> {
  const { stdout } = await run("pdftotext", [path, "-"]);
  const words = await wordsOf(path, document);
  for (const [index, { name }] of signers.entries()) {
    expect(stdout.normalize()).toContain(name);
    const { xPct, yPct, wPct, hPct } = nameAt(index);
    for (const part of name.split(" ")) {
      const there = words.filter(
        (word) =>
          word.text.normalize() === part &&
          word.xPct > xPct &&
          word.xPct < xPct + wPct &&
          word.yPct > yPct &&
          word.yPct < yPct + hPct,
      );
      expect(there, `${part} of ${JSON.stringify(words)}`).toHaveLength(1);
    }
  }
}

async function expectTamperingShows(folder: string, bytes: Buffer, index: number): Promise<void> {
  const path = join(folder, "changed.pdf");
  const flipped = Buffer.from(bytes);
  flipped[(index * 7919 + 4001) % bytes.length]! ^= 1 << (index % 8);
  for (const changed of [flipped, Buffer.concat([bytes, Buffer.from("\n% more\n")])]) {
    await writeFile(path, changed);
    expect((await verifyPdf(path)).ok).toBe(false);
  }
  expect(await pdfsig(path)).not.toContain("Total document signed");
}

test(`${count} sealed documents are valid to every validator, and a flipped bit or appended bytes are detected`, async ({
  workspace,
}) => {
  test.setTimeout(60_000 + count * 15_000);
  const envelopes = await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const envelope = await sentWith(workspace, index);
      await signAll(workspace, envelope);
      return envelope;
    }),
  );
  const completed = async () =>
    (await workspace.api("GET /signatures?status=COMPLETED&pageSize=1")).body.total;
  await expect.poll(completed, { timeout: 45_000 + count * 10_000 }).toBe(count);
  for (const [index, { id }] of envelopes.entries()) {
    const { body: pdf } = await workspace.api(`GET /signatures/${id}/pdf`);
    const bytes = Buffer.from(await (await fetch(pdf.url)).arrayBuffer());
    await inFolder(async (folder) => {
      const path = join(folder, "sealed.pdf");
      await writeFile(path, bytes);
      await expectSealed(path, bytes);
      await expectNames(path, index);
      const { ok, sha256, checks, evidence } = await verifyPdf(path);
      expect(checks.filter(({ holds }) => holds !== true).map(({ name }) => name)).toEqual(["timestamp"]);
      expect({ ok, sha256 }).toEqual({ ok: true, sha256: pdf.sha256 });
      expect(evidence?.envelope.id).toBe(id);
      expect(evidence?.signers.map(({ signedName }) => signedName)).toEqual(signers.map(({ name }) => name));
      await expectTamperingShows(folder, bytes, index);
    });
  }
});

test("the evidence states how each signer's address was verified: by e-mailed link, by code, or by the sender", async ({
  workspace,
}) => {
  const envelope = await sent(workspace, [
    { name: "Mailed" },
    { name: "Coded", codeRequired: true },
    { name: "Copied" },
    { name: "Corrected" },
  ]);
  for (const index of [1, 2, 3]) {
    const { id: signerId } = envelope.signers[index];
    await asMember(memberOf(workspace), "copyLink", { envelopeId: envelope.id, signerId });
  }
  // When the address changes, the copied link becomes invalid.
  const correction = {
    envelopeId: envelope.id,
    signerId: envelope.signers[3].id,
    email: "new@signers.example",
  };
  await asMember(memberOf(workspace), "correctSigner", correction);
  const address = envelope.signers[0].email;
  await expect.poll(async () => (await mailsTo(address)).length, { timeout: 60_000 }).toBe(1);
  const [mail] = await mailsTo(address);
  const [, url] = /(http\S+\/sign\/[\w-]{43})/.exec(mail!.replaceAll("=\r\n", ""))!;
  const mailed = await visitBy(url!);
  expect((await mailed.sign()).screen).toBe("done");
  const ctx = systemContext(workspace.organizationId);
  const { signers: told } = await evidenceOf(
    ctx,
    await findRow(ctx, envelope.id),
    await chainOf(reader(), ctx, envelope.id),
  );
  expect(Object.fromEntries(told.map(({ name, verifiedBy }) => [name, verifiedBy]))).toEqual({
    ...{ Mailed: "EMAIL_LINK", Coded: "EMAIL_CODE", Copied: "SENDER", Corrected: "EMAIL_LINK" },
  });
});
