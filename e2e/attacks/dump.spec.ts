/** An attacker with a copy of the database, but without SECRET_KEY: it must contain nothing that gives access. */
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import type { Mail } from "#lib/mail/deliver.ts";
import { unsealMail } from "#lib/mail/sealed-mails.ts";
import { admin, workspaceIn } from "../admin.ts";
import { connect, redirect } from "../assistants.ts";
import { expect, test } from "../fixtures.ts";
import { openMailbox } from "../mailbox.ts";
import { type Browser, openBrowser } from "../members.ts";
import { freePort, startServer } from "../server.ts";
import { pdf } from "../signing.ts";

const address = () => `${randomUUID()}@test.example`;

test("a database dump reveals no password, key, token or code, whether e-mails are queued, abandoned or sent", async () => {
  const smtpPort = await freePort();
  const [databaseUrl, dataDir] = [await emptyDatabase(), await mkdtemp(join(tmpdir(), "countersign-dump-"))];
  const environment = {
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    SMTP_URL: `smtp://127.0.0.1:${smtpPort}`,
    SIGN_UP: "open",
    WEBHOOK_ALLOW_PRIVATE: "1",
  };
  const server = await startServer(environment);
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { organizationId } = await workspaceIn(environment);
    const email = address();
    const person = ["--email", email, "--name", "Ada", "--password", firstPassword, "--role", "owner"];
    await admin(environment, "add-member", "--organization", organizationId, ...person);
    const secrets = await issueEverything(server.url, email, () => queuedMails(client));
    const waiting = await queuedMails(client);
    for (const { mail } of waiting) secrets.push(...secretsIn(mail));
    expect(waiting.map(({ mail }) => mail.template).sort()).toEqual([
      ...["invitation", "password-changed", "password-reset"],
      ...["sign-up", "signing-code", "signing-request"],
    ]);
    expect(secrets.length).toBeGreaterThan(12);

    await test.step("while the e-mails are queued", async () => {
      await expect.poll(async () => (await queuedMails(client)).every(({ failed }) => failed)).toBe(true);
      await expectNone(client, secrets, email);
    });
    await test.step("after all but one are abandoned", async () => {
      const some = waiting.filter(({ mail }) => mail.template !== "invitation").map(({ id }) => id);
      await client.query(
        `UPDATE graphile_worker._private_jobs SET attempts = max_attempts - 1, run_at = now()
         WHERE id = ANY($1::bigint[])`,
        [some],
      );
      await expect.poll(async () => (await queuedMails(client)).length, { timeout: 30_000 }).toBe(1);
      await expectNone(client, secrets, email);
    });
    await test.step("after the last one is sent", async () => {
      const mailbox = await openMailbox(smtpPort);
      await client.query("UPDATE graphile_worker._private_jobs SET run_at = now() WHERE locked_at IS NULL");
      await mailbox.until(1);
      await expect.poll(async () => (await queuedMails(client)).length).toBe(0);
      await mailbox.close();
      await expectNone(client, secrets, email);
    });
  } finally {
    await client.end();
    await server.stop();
    await rm(dataDir, { recursive: true });
  }
});

const firstPassword = "a first pass phrase";
const secondPassword = "quite another pass phrase";

/** Creates every kind of secret. Returns those that callers received, and those that they entered. */
async function issueEverything(url: string, email: string, waiting: () => Promise<QueuedMail[]>) {
  const browser = openBrowser(url);
  expect((await browser.signIn(email, firstPassword)).error).toBeNull();
  const stranger = openBrowser(url);
  const signUp = { name: "Nia", email: address(), workspaceName: "Newco" };
  expect((await stranger.call("account.signUp", signUp)).body).toEqual({ state: "mailed" });
  await stranger.call("account.requestPasswordReset", { email });
  await browser.call("invitations.create", { email: address(), role: "admin" });
  const apiKey = (await browser.call("apiKeys.create", { name: "CI", preset: "full_access" })).body.secret;
  const endpoint = await browser.call("webhookEndpoints.create", { url: "https://hooks.example.com/" });
  const feed = (await browser.call("calendarFeed.create")).body.url;
  await sendForSignature(browser);
  const link = await theMail(waiting, "signing-request");
  const signer = await askForCode(url, tokenOf(link));
  const change = { currentPassword: firstPassword, newPassword: secondPassword };
  // A job writes the reset link, and a new password would invalidate it.
  await theMail(waiting, "password-reset");
  await theMail(waiting, "sign-up");
  expect((await browser.call("profile.changePassword", change)).status).toBe(204);
  const assistant = await connectAssistant(url, browser);
  await browser.signIn(email, "mistyped pass phrase");
  const cookies = [...browser.cookies.values()].filter((value) => value.length > 40);
  return [
    ...[firstPassword, secondPassword, "mistyped pass phrase", apiKey, endpoint.body.secret],
    ...[feed.split("/").at(-1).replace(".ics", ""), signer, ...cookies],
    ...[assistant.code, assistant.verifier, assistant.access, assistant.refresh],
  ] as string[];
}

async function connectAssistant(url: string, browser: Browser) {
  const registered = await fetch(`${url}/oauth/register`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ client_name: "Claude", redirect_uris: [redirect] }),
  });
  const program = (await registered.json()).client_id;
  const [workspace] = (await browser.call("workspaces.list")).body.data;
  return connect(browser, workspace, ["contracts:read"], { program, url });
}

async function sendForSignature(browser: Browser): Promise<void> {
  const profile = (await browser.call("profile.read")).body.profile;
  const { contract } = (
    await browser.post("contracts.create", {
      body: JSON.stringify({
        ...{ title: "Agreement", type: "NDA", ourRole: "VENDOR", ownerId: profile.id },
        document: {
          fileName: "a.pdf",
          contentType: "application/pdf",
          contentBase64: Buffer.from(await pdf()).toString("base64"),
        },
      }),
    })
  ).body;
  const { envelope } = (await browser.call("signatures.createDraft", { contractId: contract.id })).body;
  const envelopeId = envelope.id;
  const signers = [{ name: "Ann", email: address(), codeRequired: true }];
  const { body } = await browser.call("signatures.updateDraft", { envelopeId, signers });
  const signerId = body.envelope.signers[0].id;
  const place = { pageIndex: 0, xPct: 5, yPct: 5, wPct: 30, hPct: 6 };
  const fields = [{ signerId, type: "SIGNATURE" as const, ...place }];
  await browser.call("signatures.updateDraft", { envelopeId, fields });
  await expect
    .poll(async () => (await browser.call("signatures.send", { envelopeId })).status, { timeout: 30_000 })
    .toBe(200);
}

/** Opens the link and requests a code; returns the visit's cookie. */
async function askForCode(url: string, token: string): Promise<string> {
  const post = (name: string, body: object, headers: Record<string, string> = {}) =>
    fetch(`${url}/api/sign/${name}`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: url, ...headers },
      body: JSON.stringify(body),
    });
  const opened = await post("open", { token });
  const cookie = opened.headers.get("set-cookie")!.split(";")[0]!;
  const { state } = await opened.json();
  const asked = await post("requestCode", {}, { cookie, "x-signer-id": state.signer.id });
  expect(asked.status).toBeLessThan(300);
  return cookie.split("=")[1]!;
}

interface QueuedMail {
  id: string;
  mail: Mail;
  failed: boolean;
}

/** Returns the queued mails, as only the holder of SECRET_KEY can read them. */
async function queuedMails(client: pg.Client): Promise<QueuedMail[]> {
  const { rows } = await client.query(
    `SELECT job.id, letter.task, letter.sealed, job.last_error AS error
     FROM letters AS letter JOIN graphile_worker.jobs AS job ON job.key = 'mail ' || letter.id`,
  );
  return rows.map(({ id, task, sealed, error }) => ({
    ...{ id, failed: error !== null },
    mail: unsealMail(task, sealed),
  }));
}

async function theMail(waiting: () => Promise<QueuedMail[]>, template: string): Promise<Mail> {
  const find = async () => (await waiting()).find(({ mail }) => mail.template === template)?.mail;
  await expect.poll(find, { timeout: 20_000 }).toBeDefined();
  return (await find())!;
}

const tokenOf = ({ data }: Mail) =>
  String(Reflect.get(data, "url") ?? "")
    .split("/")
    .at(-1)!;

function secretsIn(mail: Mail): string[] {
  const token = tokenOf(mail);
  const code = Reflect.get(mail.data, "code");
  return [...(token.length === 43 ? [token] : []), ...(code ? [String(code)] : [])];
}

/** Returns every row of every table as text: bytes as hexadecimal digits, and decoded as Latin-1. */
async function dump(client: pg.Client): Promise<string> {
  const { rows: tables } = await client.query(
    `SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables
     WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema')`,
  );
  const texts: string[] = [];
  for (const { name } of tables) {
    const { rows } = await client.query(`SELECT to_jsonb(t)::text AS row FROM ${name} AS t`);
    texts.push(...rows.map(({ row }) => `${name} ${row}`));
  }
  const bytes = texts.flatMap((text) => [...text.matchAll(/\\\\x([0-9a-f]{8,})/g)].map(([, hex]) => hex!));
  return [...texts, ...bytes.map((hex) => Buffer.from(hex, "hex").toString("latin1"))].join("\n");
}

async function expectNone(client: pg.Client, secrets: string[], email: string): Promise<void> {
  const all = await dump(client);
  expect(all, "the dump has the rows").toContain(email);
  for (const secret of secrets) {
    const isShort = /^\d{6}$/.test(secret);
    const forms = isShort ? [secret] : [secret, Buffer.from(secret).toString("base64").replace(/=+$/, "")];
    for (const form of forms) {
      const found = isShort
        ? new RegExp(`(?<![\\w.])${form}(?![\\w])`).exec(all)?.index
        : [all.indexOf(form)].find((at) => at >= 0);
      const where = found === undefined ? "" : all.slice(Math.max(0, found - 200), found + 40);
      expect(where, `a secret of ${secret.length} characters`).toBe("");
    }
  }
}

async function emptyDatabase(): Promise<string> {
  const client = new pg.Client({ connectionString: process.env.DATABASE_URL });
  await client.connect();
  const name = `dump_${randomUUID().replaceAll("-", "")}`;
  await client.query(`CREATE DATABASE ${name}`);
  await client.end();
  const url = new URL(process.env.DATABASE_URL!);
  url.pathname = `/${name}`;
  return url.href;
}
