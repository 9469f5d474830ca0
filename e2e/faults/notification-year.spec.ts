/** A year of notifications, hour by hour, while jobs are killed repeatedly: none is missed, none is sent twice. */
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, test } from "@playwright/test";
import pg from "pg";
import { unseal } from "#lib/core/encryption.ts";
import { migrate } from "#prisma/migrate.ts";
import { duties, expected, hours, people } from "../notification-year.ts";
import { randomNumbers, seed } from "../random.ts";
import { node, root } from "../server.ts";

const kills = 8;

/** Creates a new database on the test run's server. */
async function newDatabase(): Promise<string> {
  const url = process.env.DATABASE_URL!;
  const name = `year_${randomBytes(4).toString("hex")}`;
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`CREATE DATABASE ${name}`);
  await client.end();
  const own = new URL(url);
  own.pathname = `/${name}`;
  await migrate(own.href);
  return own.href;
}

/** Continues from an hour until killed after `most` hours, or until the year ends. Returns the hour it reached. */
async function live(environment: Record<string, string>, from: number, most: number): Promise<number> {
  const program = join(root, "e2e", "live-a-year.ts");
  const child = spawn(node, [program, String(from)], {
    cwd: root,
    env: { ...process.env, FAULTS_SEED: String(seed), ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let reached = from;
  let said = "";
  child.stderr.on("data", (chunk) => (said += chunk));
  createInterface({ input: child.stdout }).on("line", (line) => {
    // Any other output is a logged error.
    if (!/^\d+$/.test(line)) said += said.length < 5000 ? `${line}\n` : "";
    else reached = Number(line);
    if (reached >= from + most) child.kill("SIGKILL");
  });
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  if (said !== "" || (code !== 0 && code !== null)) throw new Error(said);
  return reached;
}

test("over a year with daylight-saving changes and killed jobs, each member gets every notification once", async () => {
  test.setTimeout(300_000);
  const DATABASE_URL = await newDatabase();
  const SECRET_KEY = process.env.SECRET_KEY!;
  // Nothing is sent: e-mails stay in the queue.
  const environment = { DATABASE_URL, SECRET_KEY, SMTP_URL: "smtp://127.0.0.1:9", LOG_LEVEL: "error" };
  const random = randomNumbers("lives");
  let hour = 0;
  for (let kill = 0; kill < kills; kill++) {
    hour = await live(environment, hour, 1 + Math.floor(random() * (hours / kills)));
  }
  expect(await live(environment, hour, Number.POSITIVE_INFINITY)).toBe(hours);

  const client = new pg.Client({ connectionString: DATABASE_URL });
  await client.connect();
  const { rows } =
    await client.query(`SELECT u.name, n.kind, COALESCE(o.title, c.title) AS title, n.date::text, n.stage
    FROM notifications n JOIN users u ON u.id = n.user_id
    JOIN contracts c ON c.organization_id = n.organization_id AND c.id = n.contract_id
    LEFT JOIN obligations o ON o.organization_id = n.organization_id AND o.id = n.subject_id`);
  const letters = await client.query<{ sealed: Buffer }>("SELECT sealed FROM letters");
  const jobs = await client.query(
    "SELECT count(*)::int AS count FROM graphile_worker.jobs WHERE task_identifier = 'mail.send'",
  );
  const digests = await client.query(
    `SELECT count(*)::int AS days, count(mail_id)::int AS mails FROM notification_digests`,
  );
  await client.end();

  const told = rows.filter(({ kind }) => kind !== "ASSIGNMENT");
  const line = (row: (typeof rows)[number]) => Object.values(row).join(" ");
  expect(told.map(line).toSorted(), `with FAULTS_SEED=${seed}`).toEqual(expected());
  const assigned = duties.filter(({ assignee }) => assignee !== null).length;
  const assignments = rows.filter(({ kind }) => kind === "ASSIGNMENT").length;
  expect(assignments).toBeLessThanOrEqual(assigned);
  expect(new Set(rows.map(line)).size).toBe(rows.length);

  // Everyone gets everything by e-mail: each line of the inbox is in exactly one e-mail.
  const mails = letters.rows.map(({ sealed }) => JSON.parse(unseal(sealed, "mail")));
  expect(jobs.rows[0].count).toBe(mails.length);
  for (const { name } of people) {
    const own = mails.filter(({ to }) => to.name === name);
    const sections = own.flatMap(({ data }) => data.sections);
    const lines = sections.flatMap((section) => [...section.lines, ...Array.from({ length: section.more })]);
    expect(lines.length, name).toBe(rows.filter((row) => row.name === name).length);
  }
  const figures = { kills, hours, told: told.length, assignments, mails: mails.length, ...digests.rows[0] };
  process.stdout.write(`year of notifications: ${JSON.stringify(figures)}\n`);
  expect(Math.min(told.length, mails.length)).toBeGreaterThan(100);
});
