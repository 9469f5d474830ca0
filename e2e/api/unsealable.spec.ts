/** A document that cannot be sealed is not sent; a request that turns out to be unsealable can be ended. */

import { addVersion } from "#lib/contracts/versions.ts";
import { reader } from "#lib/core/change.ts";
import { own } from "#lib/core/context.ts";
import { PDFDocument } from "#lib/documents/pdf/pdf-lib.ts";
import { signingCopyOf } from "#lib/signatures/draft/signing-copy.ts";
import { sealEnvelope } from "#lib/signatures/seal/seal.ts";
import { readStored, store } from "#lib/storage/store.ts";
import { twoFaced, unfreezable } from "../corpus/two-faced.ts";
import type { Workspace } from "../fixtures.ts";
import { startReceiver } from "../receiver.ts";
import {
  asMember,
  contractWithPdf,
  draft,
  fieldsOf,
  mailsTo,
  memberOf,
  pdf,
  sent,
  signerAt,
  unsealed,
} from "../signing.ts";
import { expect, subscribe, test } from "../webhooks.ts";

test.setTimeout(300_000);

/** Creates a draft with a document of one page, a signer and their fields on it. */
async function draftOf(workspace: Workspace, bytes: Uint8Array) {
  const ctx = memberOf(workspace);
  const { contract, version } = await contractWithPdf(workspace, bytes, 1);
  const { envelope } = await asMember(ctx, "createDraft", { contractId: contract.id });
  const signers = [{ name: "Ann", email: "ann@signers.example" }];
  const withSigner = (await asMember(ctx, "updateDraft", { envelopeId: envelope.id, signers })).envelope;
  const fields = fieldsOf(withSigner.signers[0].id, 0).filter(({ pageIndex }) => pageIndex === 0);
  await asMember(ctx, "updateDraft", { envelopeId: envelope.id, fields });
  return { envelopeId: envelope.id as string, version };
}

test("a document that cannot be sealed is refused with the reason, by the check and when it is sent", async ({
  workspace,
}) => {
  const ctx = memberOf(workspace);
  const broken = { bytes: () => Buffer.from(`%PDF-1.7 ${Math.random()}`), says: /is broken/ };
  for (const { bytes, says } of [broken, ...unfreezable]) {
    const { envelopeId } = await draftOf(workspace, bytes());
    const issue = { path: "documentVersionId", message: expect.stringMatching(says) };
    expect((await asMember(ctx, "check", { envelopeId })).errors).toEqual([issue]);
    await expect(asMember(ctx, "send", { envelopeId })).rejects.toMatchObject({ issues: [issue] });
    expect((await asMember(ctx, "progress", { envelopeId })).envelope).toMatchObject({
      status: "DRAFT",
      contract: { status: "DRAFT" },
    });
  }
});

test("signers are shown exactly the frozen bytes whose hash is recorded", async ({ workspace }) => {
  const ctx = memberOf(workspace);
  const { bytes } = twoFaced[0]!;
  const { envelopeId, version } = await draftOf(workspace, bytes());
  const { warnings } = await asMember(ctx, "check", { envelopeId });
  expect(warnings).toEqual([{ path: "documentVersionId", message: expect.stringMatching(/layers/) }]);
  const { envelope } = await asMember(ctx, "send", { envelopeId });
  expect(envelope.documentSnapshotHash).toBe(version.sha256);
  expect(envelope.pdfSha256).not.toBe(version.sha256);
  expect(await signingCopyOf(ctx, version.sha256)).toMatchObject({ sha256: envelope.pdfSha256 });
  const signer = await signerAt(workspace, envelope);
  expect((await signer.act("document")).sha256).toBe(envelope.pdfSha256);
  const unsigned = await workspace.api(`GET /signatures/${envelopeId}/pdf?variant=unsigned`);
  expect(unsigned.body.sha256).toBe(envelope.pdfSha256);
  const shown = await readStored(workspace.organizationId, envelope.pdfSha256);
  const plain = await (await PDFDocument.load(shown)).save({ useObjectStreams: false });
  expect(Buffer.from(plain).includes("OCProperties")).toBe(false);
});

test("a draft whose document changes while it is being sent is sent as checked or not at all", async ({
  workspace,
}) => {
  const ctx = memberOf(workspace);
  const { id: envelopeId, contractId } = await draft(workspace, [{ name: "Ann" }]);
  const other = await addVersion(workspace.ctx, {
    ...{
      contractId,
      source: "UPLOADED",
      fileName: "other.pdf",
      contentType: "application/pdf",
      pageCount: 2,
    },
    ...(await store(workspace.organizationId, await pdf())),
  });
  const [sending] = await Promise.allSettled([
    asMember(ctx, "send", { envelopeId }),
    asMember(ctx, "updateDraft", { envelopeId, documentVersionId: other.id }),
  ]);
  const { envelope } = await asMember(ctx, "progress", { envelopeId });
  if (sending.status === "rejected") {
    expect(sending.reason).toMatchObject({ code: "conflict" });
    expect(envelope.status).toBe("DRAFT");
    return;
  }
  const sha256 = (await signingCopyOf(ctx, envelope.documentSnapshotHash)) as { sha256: string };
  expect(sha256).toMatchObject({ sha256: envelope.pdfSha256 });
});

test("an admin, but no member or viewer, can end a request that failed to seal, and everyone is notified", async ({
  workspace,
}) => {
  const receiver = await startReceiver(() => 204);
  try {
    await subscribe(workspace, receiver, { events: ["signature_request.voided"] });
    const envelope = await unsealed(workspace, [{ name: "Ann" }, { name: "Ben" }]);
    const envelopeId = envelope.id;
    const ann = await signerAt(workspace, envelope);
    const reason = "Signed again on paper";
    for (const role of ["member", "viewer"] as const) {
      const refused = asMember(memberOf(workspace, { role }), "end", { envelopeId, reason });
      await expect(refused).rejects.toMatchObject({
        code: expect.stringMatching(/forbidden|insufficient_scope/),
      });
    }
    const admin = memberOf(workspace, { role: "admin" });
    await expect(asMember(admin, "end", { envelopeId, reason: " " })).rejects.toMatchObject({
      code: "validation_error",
    });
    const ended = (await asMember(admin, "end", { envelopeId, reason })).envelope;
    expect(ended).toMatchObject({ status: "VOIDED", voidReason: reason, contract: { status: "DRAFT" } });
    expect((await ann.state()).screen).toBe("voided");
    await expect(ann.act("document")).rejects.toMatchObject({ code: "invalid_transition" });
    // The job that is still queued finds nothing to do.
    await sealEnvelope({ organizationId: workspace.organizationId, envelopeId });
    expect((await workspace.api(`GET /signatures/${envelopeId}`)).body.envelope.status).toBe("VOIDED");
    const { body } = await workspace.api("GET /audit-events?action=SIGNATURE_REQUEST_ENDED");
    expect(body.data).toMatchObject([
      {
        action: "SIGNATURE_REQUEST_ENDED",
        payload: { reason, changes: { status: { from: "SEALING", to: "VOIDED" } } },
      },
    ]);
    await expect.poll(() => receiver.received.length, { timeout: 60_000 }).toBe(1);
    expect(receiver.received[0]!.event).toMatchObject({
      type: "signature_request.voided",
      data: { envelope: { id: envelopeId, status: "VOIDED" }, previous: { status: "SEALING" } },
    });
    for (const { email } of envelope.signers) {
      await expect
        .poll(async () => (await mailsTo(email, /No signature is needed/)).length, { timeout: 60_000 })
        .toBe(1);
    }
    const again = asMember(admin, "end", { envelopeId, reason });
    await expect(again).rejects.toMatchObject({ code: "invalid_transition" });
    expect((await asMember(admin, "duplicateAsDraft", { envelopeId })).envelope.status).toBe("DRAFT");
  } finally {
    await receiver.close();
  }
});

test("only a request that failed to seal can be ended, not one that is open, being sealed or sealed", async ({
  workspace,
}) => {
  const ctx = memberOf(workspace);
  const envelope = await sent(workspace, [{ name: "Ann" }]);
  const of = { ...own(ctx), id: envelope.id };
  const end = () => asMember(ctx, "end", { envelopeId: envelope.id, reason: "No" });
  await expect(end()).rejects.toMatchObject({
    code: "invalid_transition",
    message: expect.stringMatching(/void it instead/),
  });
  await (await signerAt(workspace, envelope)).sign();
  const tries = async () => (await reader().envelope.findFirstOrThrow({ where: of })).status;
  if ((await tries()) === "SEALING")
    await end().catch((error) => expect(error.code).toBe("invalid_transition"));
  await expect.poll(tries, { timeout: 60_000 }).toBe("COMPLETED");
  await expect(end()).rejects.toMatchObject({ code: "invalid_transition" });
  const voiding = asMember(ctx, "void", { envelopeId: envelope.id, reason: "No" });
  await expect(voiding).rejects.toMatchObject({ code: "invalid_transition" });
});
