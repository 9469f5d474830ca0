/** Sealing with an operator's settings: a key from a file, a time-stamp authority, a new SECRET_KEY, a later time. */
import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { admin } from "../admin.ts";
import { makePkcs12, startAuthority } from "../certificates.ts";
import { expect, test } from "../fixtures.ts";
import { type Installation, install } from "../installation.ts";
import { expectSealed, inFolder } from "../sealed.ts";
import { freePort, node, root } from "../server.ts";

test.describe.configure({ mode: "serial", timeout: 120_000 });

const day = 24 * 60 * 60;
/** What the operator changes later: a new SECRET_KEY, and no mail server, so that e-mails go to the outbox. */
const renewed = { SECRET_KEY: "another key of enough characters", SMTP_URL: "" };
let product: Installation;
let sealedOwn: string;
let sealedByFile: string;
let stillOpen: string;
let sealedLater: string;

test.beforeAll(async () => {
  test.setTimeout(300_000);
  // There is no mail server yet, so the e-mails wait.
  product = await install({ SMTP_URL: `smtp://127.0.0.1:${await freePort()}` });
  const { signed, open } = await product.sign(3, 1);
  [sealedByFile, sealedOwn, sealedLater] = signed as [string, string, string];
  [stillOpen] = open as [string];
});
test.afterAll(() => product?.close());

const rowOf = async (id: string) => {
  const [row] = await product.select<{ status: string; cause: string | null; next: Date | null }>(
    `SELECT status, seal_error AS cause, next_seal_at AS next FROM envelopes WHERE id = '${id}'`,
  );
  return row!;
};

/** Runs a job now, as "Retry now" and the hourly jobs do. */
const start = (task: string, payload: object = {}, key = task) =>
  product.select(
    `SELECT graphile_worker.add_job('${task}', '${JSON.stringify(payload)}', job_key => '${key}')::text`,
  );
const seal = (envelopeId: string) =>
  start(
    "signatures.seal",
    { organizationId: product.organizationId, envelopeId },
    `signatures.seal ${envelopeId}`,
  );
/** Only when requested: the other tests need their documents unsealed. */
const postpone = (ids: string[]) =>
  product.select(`UPDATE graphile_worker._private_jobs SET run_at = now() + interval '1 day'
    WHERE key = ANY(ARRAY['${ids.map((id) => `signatures.seal ${id}`).join("','")}'])`);

async function download(id: string): Promise<Buffer> {
  const { body } = await product.api(`GET /signatures/${id}/pdf?variant=signed`);
  return Buffer.from(await (await fetch(body.url)).arrayBuffer());
}

const adminFails = (...args: string[]) => admin(product.environment, ...args).catch((error) => error);

test("an unusable SIGNING_P12 prevents the start, and a later failure of it or of time stamps postpones sealing", async () => {
  await inFolder(async (folder) => {
    const p12 = await makePkcs12(folder, "correct horse");
    const authority = await startAuthority(folder);
    authority.close();
    const own = { SIGNING_P12: p12, SIGNING_P12_PASSWORD: "correct horse", TSA_URL: authority.url };
    const wrongs = [
      [{ SIGNING_P12_PASSWORD: "battery staple" }, "the password is wrong"],
      [{ SIGNING_P12: join(folder, "none.p12") }, "cannot be read (ENOENT)"],
      [{ SIGNING_P12: join(root, "package.json") }, "cannot be opened"],
    ] as const;
    const starts = wrongs.map(([wrong]) => {
      const env = { ...process.env, ...product.environment, ...own, ...wrong };
      const worker = join(root, "lib", "run", "worker.ts");
      return promisify(execFile)(node, [worker], { env }).catch((error) => error);
    });
    for (const [index, ended] of (await Promise.all(starts)).entries()) {
      expect(ended.code).toBe(2);
      expect(ended.stderr).toMatch(/^countersign worker: SIGNING_P12: /m);
      expect(ended.stderr).toContain(wrongs[index]![1]);
    }
    await postpone([sealedOwn, sealedLater]);
    const port = await freePort();
    const worker = product.work({ ...own, METRICS_PORT: String(port) });
    await worker.ready;
    const cause = async () => (await rowOf(sealedByFile)).cause;
    await expect.poll(cause, { timeout: 60_000 }).toContain("The time-stamp authority at 127.0.0.1:");
    expect((await rowOf(sealedByFile)).next!.getTime()).toBeGreaterThan(Date.now());
    const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    expect(metrics).toContain('countersign_sealing_requests{state="failing"} 1\n');
    const file = await readFile(p12);
    await writeFile(p12, "spoilt");
    await seal(sealedByFile);
    await expect.poll(cause, { timeout: 60_000 }).toMatch(/^SIGNING_P12: The PKCS#12 file cannot be opened/);
    await writeFile(p12, file);
    await authority.open();
    await seal(sealedByFile);
    await expect.poll(async () => (await rowOf(sealedByFile)).status, { timeout: 60_000 }).toBe("COMPLETED");
    await worker.end("SIGTERM");
    authority.close();
    const { body } = await product.api(`GET /signatures/${sealedByFile}/events?dir=asc&pageSize=100`);
    const sealing = (body.data as { type: string; details: Record<string, string> }[]).filter(({ type }) =>
      /^SEAL|^COMPLETED/.test(type),
    );
    expect(sealing.map(({ type, details }) => [type, details?.level ?? null])).toEqual([
      ...[
        ["SEAL_FAILED", null],
        ["SEAL_FAILED", null],
        ["SEALED", "B-T"],
        ["COMPLETED", null],
      ],
    ]);
  });
});

test("verify-pdf reports each check by name and an exit code, and with --offline needs only the file", async () => {
  await inFolder(async (folder) => {
    const path = join(folder, "sealed.pdf");
    const bytes = await download(sealedByFile);
    await writeFile(path, bytes);
    await expectSealed(path, bytes, "B-T");
    const here = await admin(product.environment, "verify-pdf", "--file", path);
    expect(here.ok).toBe(true);
    expect(here.checks.map(({ name, holds }: { name: string; holds: boolean }) => [name, holds])).toEqual(
      [
        ...["sealed", "whole_file", "unchanged", "signature", "profile"],
        ...["certificate", "timestamp", "evidence", "events", "issued_here"],
      ].map((name) => [name, true]),
    );
    expect(here.certificate.name).toBe("Acme seal");
    // It needs neither a database nor a secret.
    const alone = await admin(
      { DATABASE_URL: "", SECRET_KEY: "", DATA_DIR: folder },
      ...["verify-pdf", "--file", path, "--offline", "--fingerprint", here.certificate.fingerprint],
    );
    expect([alone.ok, alone.issuer]).toEqual([true, "confirmed"]);
    await writeFile(path, Buffer.concat([bytes, Buffer.from("\n")]));
    for (const more of [[], ["--offline"]]) {
      const failed = await adminFails("verify-pdf", "--file", path, ...more);
      expect([failed.code, JSON.parse(failed.stdout).ok]).toEqual([1, false]);
    }
    expect((await adminFails("verify-pdf", "--file", join(folder, "none.pdf"))).code).toBe(2);
  });
});

test("rotating SECRET_KEY re-encrypts signing keys and queued e-mails", async () => {
  const worker = product.work();
  await worker.ready;
  await seal(sealedOwn);
  await expect.poll(async () => (await rowOf(sealedOwn)).status, { timeout: 60_000 }).toBe("COMPLETED");
  await worker.end("SIGTERM");
  const [letters] = await product.select<{ count: number }>(
    "SELECT count(*)::int FROM signing_mails WHERE state = 'QUEUED'",
  );
  // Only e-mails that are still needed: someone who has signed meanwhile is not asked again.
  expect(letters!.count).toBeGreaterThan(0);
  const rotate = (SECRET_KEY_PREVIOUS: string) =>
    admin({ ...product.environment, ...renewed, SECRET_KEY_PREVIOUS }, "rotate-secret-key");
  expect(await rotate(process.env.SECRET_KEY!)).toEqual({ resealed: letters!.count + 1 });
  expect(await rotate("")).toEqual({ resealed: 0 });
  // The old key is gone: waiting e-mails are sent, and the same signing key keeps sealing.
  await product.select("UPDATE graphile_worker._private_jobs SET run_at = now() WHERE key LIKE 'mail %'");
  const after = product.work(renewed);
  await after.ready;
  await seal(sealedLater);
  await expect.poll(async () => (await rowOf(sealedLater)).status, { timeout: 60_000 }).toBe("COMPLETED");
  const fates = "SELECT state, count(*)::int FROM signing_mails GROUP BY state";
  await expect
    .poll(async () => (await product.select<{ state: string }>(fates)).map(({ state }) => state), {
      timeout: 30_000,
    })
    .toEqual(["SENT"]);
  await after.end("SIGTERM");
  const keys = await product.select<{ own: boolean }>(
    "SELECT private_key IS NOT NULL AS own FROM signing_keys ORDER BY created_at",
  );
  expect(keys).toEqual([{ own: false }, { own: true }]);
});

test("signers are reminded after three days, and an open signature request expires at its deadline", async () => {
  const id = stillOpen;
  const happenedAt = async (ahead: number) => {
    const worker = product.work(renewed, ahead);
    await worker.ready;
    for (const task of ["signatures.remind", "signatures.expire"]) await start(task);
    const jobs = `SELECT count(*)::int AS left FROM graphile_worker.jobs
      WHERE run_at <= now() AND task_identifier LIKE 'signatures.%'`;
    await expect.poll(() => product.select(jobs), { timeout: 30_000 }).toEqual([{ left: 0 }]);
    await worker.end("SIGTERM");
    const { body } = await product.api(`GET /signatures/${id}/events?dir=asc&pageSize=100`);
    const types = body.data.map(({ type }: { type: string }) => type);
    return types.filter((type: string) => /REMINDED|EXPIRED/.test(type));
  };
  expect(await happenedAt(3 * day - 3600)).toEqual([]);
  expect(await happenedAt(3 * day + 3600)).toEqual(["REMINDED"]);
  expect(await happenedAt(10 * day + 3600)).toEqual(["REMINDED", "EXPIRED"]);
  const { body } = await product.api(`GET /signatures/${id}`);
  expect(body.envelope).toMatchObject({ status: "EXPIRED", contract: { status: "DRAFT" } });
  const mails = await product.outbox();
  const about = (subject: RegExp) => mails.filter((mail) => subject.test(mail)).length;
  expect(about(/^Subject: Reminder/m)).toBe(1);
  expect(about(/^Subject: The deadline to sign/m)).toBe(1);
});
