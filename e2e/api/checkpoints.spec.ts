/** Checkpoints of the audit log: when they are signed, where they are sent, and that anyone can verify them. */
import { execFile } from "node:child_process";
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { verifyAudit } from "#lib/audit/verify.ts";
import { readCheckpoint } from "#lib/checkpoints/file.ts";
import { dueForCheckpoint, signCheckpointOf } from "#lib/checkpoints/sign.ts";
import { proveAudit } from "#lib/checkpoints/verify.ts";
import { systemContext } from "#lib/core/context.ts";
import { database } from "#lib/core/db.ts";
import { expect, test, type Workspace } from "../fixtures.ts";
import { inFolder } from "../sealed.ts";
import { mailsTo } from "../signing.ts";

const hourMs = 3_600_000;
const later = (hours: number) => new Date(Date.now() + hours * hourMs);

const sign = ({ organizationId }: Workspace) => signCheckpointOf(systemContext(organizationId, "checkpoint"));

const folderOf = ({ organizationId }: Workspace) =>
  join(process.env.DATA_DIR!, "records", "checkpoints", organizationId);

async function filesOf(workspace: Workspace): Promise<string[]> {
  return (await readdir(folderOf(workspace))).sort().map((name) => join(folderOf(workspace), name));
}

test("a checkpoint is signed only for new events, and is stored, logged and e-mailed to the owner", async ({
  workspace,
}) => {
  await workspace.contract();
  const { events } = await verifyAudit(workspace.organizationId);
  const first = await sign(workspace);
  expect(first).toMatchObject({ seq: `${events}`, organizationId: workspace.organizationId });
  // The log contains the checkpoint itself, which alone is no reason for another one.
  expect(await sign(workspace)).toBeNull();
  await workspace.contract();
  const second = await sign(workspace);
  // Counts the first checkpoint's own event and the contract's.
  expect(second).toMatchObject({ seq: `${events + 2}` });
  const files = await filesOf(workspace);
  const read = await Promise.all(files.map(async (path) => readCheckpoint(await readFile(path, "utf8"))));
  expect(read.map(({ checkpoint }) => checkpoint)).toEqual([first, second]);
  for (const path of files) expect((await stat(path)).mode & 0o222).toBe(0);
  const { body } = await workspace.api("GET /audit-events?action=AUDIT_CHECKPOINT_SIGNED");
  expect(body.data).toMatchObject([
    {
      actor: null,
      payload: {
        target: { type: "audit_checkpoint", id: second!.id },
        changes: {
          seq: { from: first!.seq, to: second!.seq },
          hash: { from: first!.hash, to: second!.hash },
        },
        actor: { kind: "SYSTEM", id: "checkpoint" },
      },
    },
    { payload: { target: { id: first!.id }, changes: { seq: { from: null, to: first!.seq } } } },
  ]);
  const { email } = await database().prisma.user.findUniqueOrThrow({ where: { id: workspace.ownerId } });
  const mails = () => mailsTo(email, /Subject: Checkpoint of the audit log/);
  await expect.poll(async () => (await mails()).length, { timeout: 60_000 }).toBe(2);
  // The attachment is identical to the file.
  const attached = (await mails()).map(
    (mail) => /application\/json[\s\S]*?\r\n\r\n([\s\S]*?)\r\n--/.exec(mail)?.[1],
  );
  const texts = attached.map((part) => Buffer.from(part ?? "", "base64").toString());
  expect(texts.sort()).toEqual((await Promise.all(files.map((path) => readFile(path, "utf8")))).sort());
  expect(await proveAudit(workspace.organizationId)).toMatchObject({
    ...{ ok: true, problems: [] },
    compared: { files: 0, stored: 2, sealed: 0 },
  });
});

test("a checkpoint is due before an event is a day old, and not again until another event", async ({
  workspace,
}) => {
  const isDue = async (hours: number) =>
    (await dueForCheckpoint(later(hours))).includes(workspace.organizationId);
  expect([await isDue(0), await isDue(22), await isDue(23.5)]).toEqual([false, false, true]);
  await sign(workspace);
  expect(await isDue(1000)).toBe(false);
  await workspace.contract();
  expect([await isDue(22), await isDue(23.5)]).toEqual([false, true]);
});

test("OpenSSL alone can verify a checkpoint, whose fingerprint is that of the workspace's signing key", async ({
  workspace,
}) => {
  await sign(workspace);
  const [path] = await filesOf(workspace);
  const text = await readFile(path!, "utf8");
  const { checkpoint, signature } = JSON.parse(text);
  const { fingerprint } = readCheckpoint(text);
  const [key] = await database().prisma.signingKey.findMany({
    where: { organizationId: workspace.organizationId },
  });
  expect(fingerprint).toBe(key!.fingerprint);
  await inFolder(async (folder) => {
    const [der, content, pem] = ["s.der", "s.json", "s.pem"].map((name) => join(folder, name));
    await writeFile(der!, Buffer.from(signature, "base64"));
    await writeFile(content!, JSON.stringify(checkpoint));
    const run = promisify(execFile);
    await run("openssl", ["pkcs7", "-inform", "DER", "-in", der!, "-print_certs", "-out", pem!]);
    const verify = ["cms", "-verify", "-binary", "-inform", "DER", "-in", der!, "-content", content!];
    const { stderr } = await run("openssl", [
      ...verify,
      ...["-CAfile", pem!, "-purpose", "any", "-cades", "-out", "/dev/null"],
    ]);
    expect(stderr).toContain("successful");
  });
});

test("verification rejects a checkpoint of another workspace", async ({ workspace, other }) => {
  await sign(other);
  const [path] = await filesOf(other);
  const { ok, problems } = await proveAudit(workspace.organizationId, [path!]);
  expect([ok, problems]).toEqual([
    false,
    [{ source: path, reason: expect.stringContaining("another workspace") }],
  ]);
});
