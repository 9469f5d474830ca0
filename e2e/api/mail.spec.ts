import { randomUUID } from "node:crypto";
import pg from "pg";
import { change, skipAudit } from "#lib/core/change.ts";
import { database } from "#lib/core/db.ts";
import { enqueue } from "#lib/jobs/queue.ts";
import { forgetOldMails, queueMail } from "#lib/mail/queue.ts";
import { jobKeyOf, sealMail } from "#lib/mail/sealed-mails.ts";
import { expect, test, type Workspace } from "../fixtures.ts";
import { openMailbox } from "../mailbox.ts";
import { textsIn } from "../outbox.ts";
import { queuedMail, someMail } from "../queued-mail.ts";
import { startServer } from "../server.ts";

const undone = new Error("undone");

/** Queues mails in a change that then commits or rolls back. */
function queue({ ctx, organizationId }: Workspace, addresses: string[], end: "commit" | "rollback") {
  return change(ctx, async (tx, record) => {
    for (const address of addresses) await queueMail(tx, ctx, someMail(address));
    if (end === "rollback") throw undone;
    record({ action: "WORKSPACE_UPDATED", target: { type: "organization", id: organizationId } });
  });
}

const outbox = async (address: string) => (await textsIn()).filter((text) => text.includes(address));

test("an e-mail is sent if and only if its transaction commits", async ({ workspace }) => {
  const [kept, dropped] = [`kept-${randomUUID()}@acme.example`, `dropped-${randomUUID()}@acme.example`];
  await expect(queue(workspace, [dropped], "rollback")).rejects.toThrow(undone);
  await queue(workspace, [kept], "commit");
  await expect.poll(() => outbox(kept), { timeout: 60_000 }).toHaveLength(1);
  expect(await outbox(dropped)).toEqual([]);
});

test("an e-mail's content is kept while its job is queued, and deleted once it is sent or has no job", async ({
  workspace,
}) => {
  const { prisma } = database();
  const [waiting, orphan, sent] = [randomUUID(), randomUUID(), randomUUID()];
  const mail = someMail(`${sent}@acme.example`);
  await change(workspace.ctx, async (tx) => {
    skipAudit();
    for (const id of [waiting, orphan]) await sealMail(tx, id, "mail.send", mail);
    const runAt = new Date(Date.now() + 3_600_000);
    await enqueue(tx, "mail.send", { id: waiting }, { runAt, jobKey: jobKeyOf(waiting) });
    await queueMail(tx, workspace.ctx, mail, sent);
  });
  const left = async () => {
    const rows = await prisma.letter.findMany({ where: { id: { in: [waiting, orphan, sent] } } });
    return rows.map(({ id }) => id).sort();
  };
  await expect.poll(() => outbox(mail.to.address), { timeout: 60_000 }).toHaveLength(1);
  await expect.poll(left).toEqual([waiting, orphan].sort());
  await forgetOldMails();
  expect(await left()).toEqual([waiting]);
});

test("an e-mail that the mail server defers is retried and sent once, and a rejected one is not retried", async () => {
  const mailbox = await openMailbox();
  const url = await emptyDatabase();
  const server = await startServer({ DATABASE_URL: url, SMTP_URL: mailbox.url, LOG_LEVEL: "warn" });
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  for (const address of ["never@acme.example", "busy@acme.example"]) {
    await client.query("SELECT graphile_worker.add_job('mail.send', $1)", [queuedMail(address)]);
  }
  await mailbox.until(1);
  const jobs = () => client.query("SELECT 1 FROM graphile_worker.jobs WHERE task_identifier = 'mail.send'");
  await expect.poll(async () => (await jobs()).rowCount).toBe(0);
  await client.end();
  await server.stop();
  await mailbox.close();
  expect(mailbox.received.map(({ to }) => to)).toEqual([["busy@acme.example"]]);
  const times = (address: string) => mailbox.attempts.filter((attempt) => attempt === address).length;
  expect([times("busy@acme.example"), times("never@acme.example")]).toEqual([2, 1]);
  expect(server.output()).toContain("gave up on an e-mail that cannot be sent");
  expect(server.output()).not.toContain("never@acme.example");
});

async function emptyDatabase(): Promise<string> {
  const client = new pg.Client({ connectionString: process.env.DATABASE_URL });
  await client.connect();
  const name = `mail_${randomUUID().replaceAll("-", "")}`;
  await client.query(`CREATE DATABASE ${name}`);
  await client.end();
  const url = new URL(process.env.DATABASE_URL!);
  url.pathname = `/${name}`;
  return url.href;
}
