/** How many e-mails one address gets, regardless of who triggers them. */
import { randomUUID } from "node:crypto";
import { database, query } from "#lib/core/db.ts";
import { settings } from "#lib/core/env.ts";
import { takeTurn } from "#lib/mail/quota.ts";
import type { Template } from "#lib/mail/templates.ts";
import { mailReset } from "#lib/people/accounts/password-reset.ts";
import { mailSignUp } from "#lib/people/accounts/sign-up.ts";
import { expect, test, type Workspace } from "../fixtures.ts";
import { newMember, signedIn } from "../members.ts";
import { mailsTo } from "../outbox.ts";

const address = () => `${randomUUID()}@test.example`;

/** Returns when the mails to an address are due, in minutes after the first. */
async function minutesOf(email: string): Promise<number[]> {
  const rows = await query<{ minutes: number }>(
    `SELECT (extract(epoch FROM due_at - min(due_at) OVER ()) / 60)::float AS minutes FROM mail_turns
     WHERE address_hash = sha256(convert_to($1, 'UTF8')) ORDER BY due_at`,
    [email.toLowerCase()],
  );
  return rows.map(({ minutes }) => minutes);
}

const waiting = (email: string) =>
  query<{ id: string }>(
    `SELECT job.id::text FROM graphile_worker._private_jobs AS job
     WHERE job.run_at > now() + interval '30 minutes' AND job.key = ANY (SELECT 'mail ' || id FROM mail_turns
       WHERE address_hash = sha256(convert_to($1, 'UTF8')))`,
    [email.toLowerCase()],
  );

test("an address gets 20 e-mails an hour from all workspaces together, and the rest are sent later", async ({
  workspace,
  other,
}) => {
  const email = address();
  await invite([workspace, other], email, 12);
  await expect.poll(async () => (await minutesOf(email)).length, { timeout: 60_000 }).toBe(24);
  const minutes = await minutesOf(email);
  expect(minutes.filter((at) => at < 30)).toHaveLength(20);
  for (const at of minutes.slice(20)) expect(at).toBeGreaterThanOrEqual(60);
  await expect.poll(async () => (await mailsTo(email, 20)).length).toBe(20);
  await expect.poll(async () => (await waiting(email)).length).toBe(4);
  // When they become due, the same mails are sent, once.
  const jobs = (await waiting(email)).map(({ id }) => id);
  await query("UPDATE mail_turns SET due_at = now() WHERE address_hash = sha256(convert_to($1, 'UTF8'))", [
    email,
  ]);
  await query("SELECT graphile_worker.reschedule_jobs($1::bigint[], run_at => now())", [jobs]);
  expect(await mailsTo(email, 24)).toHaveLength(24);
});

/** Sends the same invitation `times` times from each of several workspaces. */
async function invite(workspaces: Workspace[], email: string, times: number): Promise<void> {
  for (const workspace of workspaces) {
    const admin = await signedIn(workspace, "admin");
    const { invitation } = (await admin.call("invitations.create", { email })).body;
    for (let time = 1; time < times; time++) {
      expect((await admin.call("invitations.resend", { id: invitation.id })).status).toBe(200);
    }
  }
}

/** Takes a turn for each of these e-mails, one after another; returns which of them must wait. */
async function waits(email: string, templates: Template[]): Promise<boolean[]> {
  const waiting: boolean[] = [];
  for (const template of templates) {
    const turn = { id: randomUUID(), address: email, template };
    waiting.push((await database().prisma.$transaction((tx) => takeTurn(tx, turn))).mustWait);
  }
  return waiting;
}

test("invitations, password resets, signing codes and notices each have their own quota per address", async () => {
  const email = address();
  const invited = await waits(email, Array(25).fill("invitation"));
  expect(invited).toEqual([...Array(20).fill(false), ...Array(5).fill(true)]);
  expect(await waits(email, ["signing-request"])).toEqual([true]);
  expect(await waits(email, Array(6).fill("password-reset"))).toEqual([...Array(5).fill(false), true]);
  expect(await waits(email, ["sign-up"])).toEqual([true]);
  expect(await waits(email, ["signing-code"])).toEqual([false]);
  expect(await waits(email, Array(21).fill("notice"))).toEqual([...Array(20).fill(false), true]);
});

test("repeated sign-ups with someone else's address do not hold back its password reset e-mail", async ({
  workspace,
}) => {
  const { email } = await newMember(workspace, "member");
  for (let time = 0; time < 12; time++) {
    await mailSignUp({ email, mailId: randomUUID(), name: "Mallory", workspaceName: "Mallory and sons" });
  }
  await mailReset({ email, mailId: randomUUID() });
  for (const minute of await minutesOf(email)) expect(minute).toBeLessThan(30);
  const subjects = (await mailsTo(email, 2)).map(({ subject }) => subject).sort();
  expect(subjects).toEqual(["Reset your Countersign password", "You already have a Countersign account"]);
});

test("a password reset is sent despite a stranger's sign-up, even where the limit is one e-mail an hour", async ({
  workspace,
}) => {
  const { email } = await newMember(workspace, "member");
  const { MAILS_PER_ADDRESS_PER_HOUR: usual } = settings();
  settings().MAILS_PER_ADDRESS_PER_HOUR = 1;
  try {
    await mailSignUp({ email, mailId: randomUUID(), name: "Mallory", workspaceName: "Mallory and sons" });
    await mailReset({ email, mailId: randomUUID() });
  } finally {
    settings().MAILS_PER_ADDRESS_PER_HOUR = usual;
  }
  const subjects = (await mailsTo(email, 2)).map(({ subject }) => subject).sort();
  expect(subjects).toEqual(["Reset your Countersign password", "You already have a Countersign account"]);
});

test("an address gets at most five password reset e-mails an hour, and further ones are dropped", async ({
  workspace,
}) => {
  const { email } = await newMember(workspace, "member");
  for (let time = 0; time < 7; time++) await mailReset({ email, mailId: randomUUID() });
  expect(await mailsTo(email, 5)).toHaveLength(5);
  expect(await minutesOf(email)).toHaveLength(5);
  const waiting = await query("SELECT FROM graphile_worker._private_jobs WHERE payload ->> 'email' = $1", [
    email,
  ]);
  expect(waiting).toEqual([]);
});

test("an address gets ten signing codes an hour, which do not count against its other e-mails", async () => {
  const email = address();
  expect(await waits(email, Array(11).fill("signing-code"))).toEqual([...Array(10).fill(false), true]);
  expect(await waits(email, Array(21).fill("signing-request"))).toEqual([...Array(20).fill(false), true]);
});

test("concurrent e-mails cannot exceed an address's quota, and a repeated e-mail counts once", async () => {
  const email = address();
  const same = randomUUID();
  const ids = [same, same, ...Array.from({ length: 24 }, () => randomUUID())];
  await Promise.all(
    ids.map((id) =>
      database().prisma.$transaction(
        (tx) => takeTurn(tx, { id, address: email.toUpperCase(), template: "invitation" }),
        {
          maxWait: 20_000,
          timeout: 60_000,
        },
      ),
    ),
  );
  const minutes = await minutesOf(email);
  expect(minutes).toHaveLength(25);
  expect(minutes.filter((at) => at < 30)).toHaveLength(20);
});
