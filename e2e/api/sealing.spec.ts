/** After the last signature: one sealed PDF, once, that proves itself; or a cause that everyone can see. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { reader } from "#lib/core/change.ts";
import { chainOf } from "#lib/signatures/events.ts";
import { sealEnvelope } from "#lib/signatures/seal/seal.ts";
import { verifyPdf } from "#lib/signatures/verify/verification.ts";
import { expect, test, type Workspace } from "../fixtures.ts";
import { asMember, contractWithPdf, mailsTo, memberOf, sent, signerAt, withoutKey } from "../signing.ts";

// Sealing starts several processes, which takes a while on a busy machine.
test.setTimeout(300_000);

const read = async (workspace: Workspace, id: string) =>
  (await workspace.api(`GET /signatures/${id}`)).body.envelope;

async function verified(bytes: Uint8Array) {
  const folder = await mkdtemp(join(tmpdir(), "countersign-verify-"));
  try {
    await writeFile(join(folder, "a.pdf"), bytes);
    return await verifyPdf(join(folder, "a.pdf"));
  } finally {
    await rm(folder, { recursive: true });
  }
}

test("after the last signature the PDF is sealed once and verifies, and a flipped bit is detected", async ({
  workspace,
}) => {
  const envelope = await sent(workspace, [{ name: "Ελένη Παπαδοπούλου" }, { name: "Ben", orderIndex: 1 }]);
  const early = await workspace.api(`GET /signatures/${envelope.id}/pdf?variant=signed`);
  expect([early.status, early.body.error.code]).toEqual([409, "signed_pdf_not_ready"]);
  const unsigned = await workspace.api(`GET /signatures/${envelope.id}/pdf`);
  expect(unsigned.body).toMatchObject({
    variant: "unsigned",
    sha256: envelope.pdfSha256,
    expiresInSeconds: 300,
  });
  await (await signerAt(workspace, envelope, 0)).sign();
  const ben = await signerAt(workspace, envelope, 1);
  await ben.sign();
  // Several workers at once make no difference.
  const job = { organizationId: workspace.organizationId, envelopeId: envelope.id };
  await Promise.all([sealEnvelope(job), sealEnvelope(job)]);
  await expect
    .poll(async () => (await read(workspace, envelope.id)).status, { timeout: 60_000 })
    .toBe("COMPLETED");
  const { body: pdf } = await workspace.api(`GET /signatures/${envelope.id}/pdf`);
  expect(pdf.variant).toBe("signed");
  const bytes = new Uint8Array(await (await fetch(pdf.url)).arrayBuffer());
  const verdict = await verified(bytes);
  expect(verdict.checks.filter(({ holds }) => holds === false)).toEqual([]);
  expect(verdict.checks.find(({ name }) => name === "issued_here")).toMatchObject({ holds: true });
  expect(verdict.evidence?.checkpoint?.seq).toMatch(/^\d+$/);
  const form = new FormData();
  form.append("file", new Blob([bytes], { type: "application/pdf" }), "signed.pdf");
  const told = await fetch(`${process.env.BASE_URL}/api/member/verification.check`, {
    method: "POST",
    headers: { origin: process.env.BASE_URL! },
    body: form,
  });
  expect((await told.json()).verification).toMatchObject({
    ok: true,
    evidence: { envelope: { id: envelope.id } },
  });
  bytes[Math.floor(bytes.length / 3)]! ^= 1;
  expect((await verified(bytes)).ok).toBe(false);

  const { body } = await workspace.api(`GET /contracts/${envelope.contractId}/versions`);
  expect(body.data.map(({ source }: { source: string }) => source)).toEqual(["SIGNED", "UPLOADED"]);
  const contract = (await workspace.api(`GET /contracts/${envelope.contractId}`)).body.contract;
  expect(contract).toMatchObject({ status: "EXECUTED", executedAt: expect.any(String) });
  const types = (await chainOf(reader(), workspace.ctx, envelope.id)).map(({ type }) => type);
  for (const once of ["SEALED", "COMPLETED"]) expect(types.filter((type) => type === once)).toHaveLength(1);
  expect((await ben.state()).screen).toBe("completed");
  expect((await ben.act("download")).sha256).toBe(pdf.sha256);
  const address = envelope.signers[1].email;
  await expect
    .poll(async () => (await mailsTo(address, /Signed by everyone/)).length, { timeout: 60_000 })
    .toBe(1);
});

test("a failed sealing shows its cause, can be retried at once, and succeeds once the cause is fixed", async ({
  workspace,
}) => {
  const ctx = memberOf(workspace);
  const out = await sent(workspace, [{ name: "Ann" }]);
  const bringBack = await withoutKey(workspace);
  await (await signerAt(workspace, out)).sign();
  const sealing = async () => (await asMember(ctx, "progress", { envelopeId: out.id })).envelope.sealing;
  await expect.poll(async () => (await sealing()).error, { timeout: 60_000 }).toBeTruthy();
  expect(await sealing()).toMatchObject({ nextAttemptAt: expect.any(String) });
  await asMember(ctx, "retrySealing", { envelopeId: out.id });
  await expect.poll(async () => (await sealing()).attempts, { timeout: 60_000 }).toBeGreaterThan(1);
  await expect.poll(async () => (await sealing()).nextAttemptAt, { timeout: 60_000 }).toBeTruthy();
  const types = (await chainOf(reader(), workspace.ctx, out.id)).map(({ type }) => type);
  expect(types.filter((type) => type === "SEAL_FAILED")).toHaveLength(1);
  const { body } = await workspace.api(`GET /signatures/${out.id}/pdf?variant=signed`);
  expect(body.error.code).toBe("signed_pdf_not_ready");
  await bringBack();
  await asMember(ctx, "retrySealing", { envelopeId: out.id });
  await expect
    .poll(async () => (await read(workspace, out.id)).status, { timeout: 60_000 })
    .toBe("COMPLETED");
});

test("text tags in a document become fields of the signers they name, where the tags are", async ({
  workspace,
}) => {
  const { PDFDocument, degrees } = await import("#lib/documents/pdf/pdf-lib.ts");
  const document = await PDFDocument.create();
  const page = document.addPage([600, 800]);
  page.drawText("Signed: {{signature:1}} on {{date:1}}", { x: 60, y: 400, size: 12 });
  page.drawText("{{text:2 Purchase order}} and {{signature:7}}", { x: 60, y: 200, size: 12 });
  const turned = document.addPage([600, 800]);
  turned.setRotation(degrees(90));
  turned.drawText("{{initials:2}}", { x: 300, y: 400, size: 12 });
  const ctx = memberOf(workspace);
  const { contract } = await contractWithPdf(workspace, await document.save());
  const { envelope } = await asMember(ctx, "createDraft", { contractId: contract.id });
  const signers = ["a", "b"].map((name) => ({ name, email: `${name}@signers.example` }));
  await asMember(ctx, "updateDraft", { envelopeId: envelope.id, signers });
  const result = await asMember(ctx, "placeAnchors", { envelopeId: envelope.id });
  expect(result).toMatchObject({ placed: 4, unknown: ["{{signature:7}}"] });
  const told = result.envelope.fields.map(({ type, label, pageIndex }: Record<string, unknown>) => [
    type,
    label,
    pageIndex,
  ]);
  expect(told).toEqual(
    expect.arrayContaining([
      ["SIGNATURE", null, 0],
      ["DATE_SIGNED", null, 0],
      ["TEXT", "Purchase order", 0],
      ["INITIALS", null, 1],
    ]),
  );
  const at = (type: string) => result.envelope.fields.find((field: { type: string }) => field.type === type);
  // Its line is 400 points above the bottom of 800, and starts right of "Signed: ".
  expect(at("SIGNATURE").yPct + at("SIGNATURE").hPct).toBeCloseTo(50.4, 0);
  expect(at("SIGNATURE").xPct).toBeGreaterThan(15);
  expect(at("SIGNATURE").xPct).toBeLessThan(22);
  // Rotated by 90 degrees, x = 300 of 600 is half-way down, and y = 400 of 800 half-way across.
  expect(at("INITIALS").xPct).toBeGreaterThan(44);
  expect(at("INITIALS").xPct).toBeLessThan(52);
});
