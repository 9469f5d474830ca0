/** The audit log against an attacker who owns the database: whatever they change, data outside of it reveals it. */
import { execFile } from "node:child_process";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { verifyAudit } from "#lib/audit/verify.ts";
import { signCheckpointOf } from "#lib/checkpoints/sign.ts";
import { proveAudit } from "#lib/checkpoints/verify.ts";
import { systemContext } from "#lib/core/context.ts";
import { database, db } from "#lib/core/db.ts";
import { expect, test, type Workspace } from "../fixtures.ts";
import { inFolder } from "../sealed.ts";
import { node, root } from "../server.ts";
import { asMember, draft, mailsTo, memberOf, sent, signerAt } from "../signing.ts";
import { behindItsBack, cutHistory, cutLog, emptyLog, rewriteLog, swapEvents } from "./tampering.ts";

const sign = ({ organizationId }: Workspace) => signCheckpointOf(systemContext(organizationId, "checkpoint"));

const recordsOf = (organizationId: string) =>
  join(process.env.DATA_DIR!, "records", "checkpoints", organizationId);

const reasonsOf = async ({ organizationId }: Workspace, files: string[] = []) =>
  (await proveAudit(organizationId, files)).problems.map(({ source, reason }) => `${source}: ${reason}`);

async function ownersAddress({ ownerId }: Workspace): Promise<string> {
  return (await database().prisma.user.findUniqueOrThrow({ where: { id: ownerId } })).email;
}

/** Signs a checkpoint of a log with some events, and expects no problems. */
async function withCheckpoint(workspace: Workspace) {
  for (let index = 0; index < 3; index++) await workspace.contract({ title: "Ελένη & 김민준" });
  const checkpoint = (await sign(workspace))!;
  expect(await reasonsOf(workspace)).toEqual([]);
  return checkpoint;
}

const attacks: [string, (organizationId: string) => Promise<void>, RegExp][] = [
  [
    "an audit log whose end was cut off and its head reset",
    (id) => cutLog(id, 3),
    /The end of the log was cut off\. .*had \d+ events; now it has 3/,
  ],
  [
    "an audit log that was deleted entirely",
    (id) => behindItsBack((tx) => emptyLog(tx, id)),
    /Everything was deleted\. .*had \d+ events/,
  ],
  [
    "an audit log that was rewritten with consistent hashes",
    (id) => rewriteLog(id, 3),
    /The log was rewritten/,
  ],
];

for (const [attack, act, found] of attacks) {
  test(`stored checkpoints detect ${attack}, no new one is signed, and the owner gets one e-mail`, async ({
    workspace,
  }) => {
    await withCheckpoint(workspace);
    await act(workspace.organizationId);
    // The log alone does not reveal it.
    expect(await verifyAudit(workspace.organizationId)).toMatchObject({ ok: true, problem: null });
    const reasons = await reasonsOf(workspace);
    expect(
      reasons.some((reason) => found.test(reason)),
      reasons.join("\n"),
    ).toBe(true);
    await workspace.contract();
    expect(await sign(workspace)).toBeNull();
    expect(await sign(workspace)).toBeNull();
    const told = async () => mailsTo(await ownersAddress(workspace), /failed\s+verification/);
    await expect.poll(async () => (await told()).length, { timeout: 60_000 }).toBe(1);
  });

  test(`a checkpoint kept elsewhere detects ${attack}, even when storage was emptied`, async ({
    workspace,
  }) => {
    await withCheckpoint(workspace);
    const { organizationId } = workspace;
    await inFolder(async (folder) => {
      const records = recordsOf(organizationId);
      const kept = join(folder, "kept.json");
      await writeFile(kept, await readFile(join(records, (await readdir(records))[0]!)));
      await rm(records, { recursive: true });
      await act(organizationId);
      const command = [
        join(root, "lib", "run", "admin.ts"),
        "verify-audit",
        "--organization",
        organizationId,
      ];
      const failed = await promisify(execFile)(node, [...command, "--checkpoint", kept]).catch(
        (error) => error,
      );
      expect(failed.code).toBe(1);
      const { problems, compared } = JSON.parse(failed.stdout);
      expect(problems).toContainEqual({ source: kept, reason: expect.stringMatching(found) });
      expect(compared).toMatchObject({ files: 1, stored: 0 });
      // An altered file proves nothing, and is reported.
      const altered = (await readFile(kept, "utf8")).replace(/"seq":"\d+"/, '"seq":"3"');
      await writeFile(join(folder, "altered.json"), altered);
      expect(await reasonsOf(workspace, [join(folder, "altered.json")])).toContainEqual(
        expect.stringContaining("It was altered"),
      );
      const after = await reasonsOf(workspace);
      if (!attack.includes("deleted") && !attack.includes("cut")) {
        expect(after).toContainEqual(expect.stringContaining("It is no longer in storage"));
      }
    });
  });
}

test("sealed documents reveal a rewritten audit log even without any checkpoint", async ({ workspace }) => {
  const envelope = await sent(workspace, [{ name: "Ann" }]);
  await (await signerAt(workspace, envelope)).sign();
  const status = async () => (await workspace.api(`GET /signatures/${envelope.id}`)).body.envelope.status;
  await expect.poll(status, { timeout: 60_000 }).toBe("COMPLETED");
  const before = await proveAudit(workspace.organizationId);
  expect([before.problems, before.compared.sealed]).toEqual([[], 1]);
  await rewriteLog(workspace.organizationId, 3);
  expect((await verifyAudit(workspace.organizationId)).ok).toBe(true);
  expect(await reasonsOf(workspace)).toContainEqual(
    expect.stringMatching(/^sealed document ver_\w+ of env_\w+: The log was rewritten/),
  );
});

test("audit verification reports a sealed document whose file was deleted", async ({ workspace }) => {
  const envelope = await sent(workspace, [{ name: "Ann" }]);
  await (await signerAt(workspace, envelope)).sign();
  const read = async () => (await workspace.api(`GET /signatures/${envelope.id}`)).body.envelope;
  await expect.poll(async () => (await read()).status, { timeout: 60_000 }).toBe("COMPLETED");
  const { sha256, versionId } = (await workspace.api(`GET /signatures/${envelope.id}/pdf`)).body;
  expect(await reasonsOf(workspace)).toEqual([]);
  // Otherwise the job that reads its text would also miss the file, and log an error.
  const unread = { organizationId: workspace.organizationId, textState: "PENDING" };
  await expect.poll(() => db.documentVersion.count({ where: unread }), { timeout: 60_000 }).toBe(0);
  await rm(join(process.env.DATA_DIR!, "files", workspace.organizationId, sha256.slice(0, 2), sha256));
  expect(await reasonsOf(workspace)).toEqual([
    `sealed document ${versionId} of ${envelope.id}: Its file is gone or damaged.`,
  ]);
});

test("a checkpoint reveals that the end of a signature request's history was cut off and its head reset", async ({
  workspace,
}) => {
  const envelope = await sent(workspace, [{ name: "Ann" }]);
  await (await signerAt(workspace, envelope)).agree();
  const checkpoint = (await sign(workspace))!;
  const [head] = checkpoint.signatureRequests;
  expect(head).toMatchObject({ id: envelope.id });
  await cutHistory(workspace.organizationId, envelope.id, head!.events - 1);
  expect(await reasonsOf(workspace)).toContainEqual(
    expect.stringContaining(
      `The history of the signature request ${envelope.id} was cut off: event ${head!.events}`,
    ),
  );
});

test("swapped events in a signature request's history are detected, and no checkpoint is signed", async ({
  workspace,
}) => {
  const envelope = await sent(workspace, [{ name: "Ann" }]);
  await (await signerAt(workspace, envelope)).agree();
  await swapEvents(workspace.organizationId, envelope.id, 2, 3);
  expect(await reasonsOf(workspace)).toContainEqual(
    expect.stringContaining("does not follow the one before it"),
  );
  expect(await sign(workspace)).toBeNull();
});

test("the deletion of a sent signature request is detected and blocks checkpoints, unlike discarding a draft", async ({
  workspace,
}) => {
  const [thrown, { id }] = [
    await draft(workspace, [{ name: "Ann" }]),
    await sent(workspace, [{ name: "Ben" }]),
  ];
  await asMember(memberOf(workspace), "discardDraft", { envelopeId: thrown.id });
  expect(await sign(workspace)).not.toBeNull();
  expect(await reasonsOf(workspace)).toEqual([]);
  await behindItsBack(async (tx) => {
    const of = { where: { organizationId: workspace.organizationId, envelopeId: id } };
    await tx.signingMail.deleteMany(of);
    for (const { id: signerId } of await tx.signer.findMany(of)) {
      await tx.signerLink.deleteMany({ where: { signerId } });
    }
    await tx.signatureField.deleteMany(of);
    await tx.signer.deleteMany(of);
    await tx.envelope.deleteMany({ where: { id } });
  });
  const reason = `Signature request ${id}: it was sent, and the request is gone.`;
  expect(await reasonsOf(workspace)).toEqual([`signature requests: ${reason}`]);
  await workspace.contract();
  expect(await sign(workspace)).toBeNull();
});
