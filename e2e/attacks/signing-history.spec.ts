/** A request's history against an attacker who owns the database: nothing that it does not prove is ever sealed. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { database } from "#lib/core/db.ts";
import { verifyPdf } from "#lib/signatures/verify/verification.ts";
import { store } from "#lib/storage/store.ts";
import { expect, test, type Workspace } from "../fixtures.ts";
import { inFolder } from "../sealed.ts";
import { asMember, memberOf, pdf, sent, signerAt } from "../signing.ts";
import { behindItsBack, cutHistory, swapEvents } from "./tampering.ts";

interface Target {
  workspace: Workspace;
  envelopeId: string;
  signerId: string;
}

const numberOf = async ({ envelopeId, signerId }: Target, type: string): Promise<number> => {
  const where = { envelopeId, signerId, type };
  return (await database().prisma.signingEvent.findFirstOrThrow({ where })).number;
};

/** What the attacker does after the first of two signers has signed. */
const forgeries: [string, (target: Target) => Promise<unknown>, string][] = [
  [
    "a field's value",
    ({ envelopeId }) =>
      behindItsBack(
        (tx) => tx.$executeRaw`UPDATE signature_fields SET value = 'Forged' WHERE envelope_id = ${envelopeId}
        AND type = 'TEXT' AND value IS NOT NULL`,
      ),
    "what was entered is not what was signed",
  ],
  [
    "a signature's appearance",
    ({ signerId }) =>
      behindItsBack(
        (tx) => tx.$executeRaw`UPDATE signers SET signature_text = 'Mallory' WHERE id = ${signerId}`,
      ),
    "what was entered is not what was signed",
  ],
  [
    "the consent text",
    ({ signerId }) =>
      behindItsBack(
        (tx) => tx.$executeRaw`UPDATE signers SET consent_hash = repeat('a', 64) WHERE id = ${signerId}`,
      ),
    "there is no event of the consent that is recorded",
  ],
  [
    "the document",
    async ({ workspace, envelopeId }) => {
      const { sha256 } = await store(workspace.organizationId, await pdf());
      await behindItsBack(
        (tx) => tx.$executeRaw`UPDATE envelopes SET pdf_sha256 = ${sha256} WHERE id = ${envelopeId}`,
      );
    },
    "It is not the document that was sent",
  ],
  [
    "an event",
    ({ envelopeId, signerId }) =>
      behindItsBack(
        (tx) => tx.$executeRaw`UPDATE signing_events SET ip_address = '198.51.100.9'
          WHERE envelope_id = ${envelopeId} AND signer_id = ${signerId} AND type = 'SIGNED'`,
      ),
    "was altered",
  ],
  [
    "the order of two events",
    async (target) => {
      const number = await numberOf(target, "CONSENTED");
      await swapEvents(target.workspace.organizationId, target.envelopeId, number, number + 1);
    },
    "does not follow the one before it",
  ],
  [
    "the end of the history and its head",
    async (target) => {
      const number = await numberOf(target, "SIGNED");
      await cutHistory(target.workspace.organizationId, target.envelopeId, number - 1);
    },
    "there is no event of the signature that is recorded",
  ],
];

for (const [what, forge, reason] of forgeries) {
  test(`tampering with ${what} keeps a signature request from being sealed, and the reason is reported`, async ({
    workspace,
  }) => {
    const envelope = await sent(workspace, [{ name: "Ann" }, { name: "Ben" }]);
    await (await signerAt(workspace, envelope)).sign();
    const ben = await signerAt(workspace, envelope, 1);
    await ben.fill();
    await forge({ workspace, envelopeId: envelope.id, signerId: envelope.signers[0].id });
    await ben.act("finish");
    const watch = async () =>
      (await asMember(memberOf(workspace), "progress", { envelopeId: envelope.id })).envelope;
    await expect
      .poll(async () => (await watch()).sealing?.error ?? "", { timeout: 60_000 })
      .toContain("Its history is not intact, so it is not sealed.");
    const { status, sealing, signedVersionId } = await watch();
    expect(sealing.error).toContain(reason);
    expect([status, signedVersionId]).toEqual(["SEALING", null]);
  });
}

test("verifying a sealed PDF reveals that later events of its history were cut off", async ({
  workspace,
}) => {
  const envelope = await sent(workspace, [{ name: "Ann" }]);
  await (await signerAt(workspace, envelope)).sign();
  const read = async () => (await workspace.api(`GET /signatures/${envelope.id}`)).body.envelope;
  await expect.poll(async () => (await read()).status, { timeout: 60_000 }).toBe("COMPLETED");
  await inFolder(async (folder) => {
    const path = join(folder, "sealed.pdf");
    const { body } = await workspace.api(`GET /signatures/${envelope.id}/pdf`);
    await writeFile(path, Buffer.from(await (await fetch(body.url)).arrayBuffer()));
    const { ok, evidence } = await verifyPdf(path);
    expect(ok).toBe(true);
    await cutHistory(workspace.organizationId, envelope.id, evidence!.events.length);
    const after = await verifyPdf(path);
    expect(after.ok).toBe(false);
    expect(after.checks.at(-1)).toEqual({
      name: "issued_here",
      holds: false,
      says: "Events kept here after those of the certificate were cut off.",
    });
  });
});
