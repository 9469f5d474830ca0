/** No event is lost, whenever a worker dies. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { disconnect } from "#lib/core/db.ts";
import { provideSettings } from "#lib/core/env.ts";
import { openPostgres } from "#prisma/embedded/postgres.ts";
import { migrate } from "#prisma/migrate.ts";
import { expect, newWorkspace, test, type Workspace } from "../fixtures.ts";
import { queuedMail } from "../queued-mail.ts";
import { isSigned, type Receiver, startReceiver } from "../receiver.ts";
import { node, type RunningServer, root, startServer, strictly } from "../server.ts";
import { subscribe } from "../webhooks.ts";

interface Stage {
  workspace: Workspace;
  server: RunningServer;
  environment: Record<string, string>;
  database: pg.Client;
}

/** Runs the test with its own database and server, without a worker. */
async function onStage(work: (stage: Stage) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "countersign-faults-"));
  const postgres = await openPostgres(folder);
  await migrate(postgres.url);
  const environment = {
    DATABASE_URL: postgres.url,
    DATA_DIR: folder,
    RATE_LIMIT_PER_MINUTE: "0",
    WEBHOOK_ALLOW_PRIVATE: "1",
    // So many attempts that none is the last one.
    WEBHOOK_RETRY_SCHEDULE: Array(60).fill("0.3").join(","),
    // A hanging attempt must not time out while a test looks at it.
    WEBHOOK_TIMEOUT_SECONDS: "60",
  };
  const before = { DATABASE_URL: process.env.DATABASE_URL!, BASE_URL: process.env.BASE_URL! };
  const server = await startServer({ ...environment, WORKER: "off" });
  await disconnect();
  provideSettings({ DATABASE_URL: postgres.url, BASE_URL: server.url });
  const database = new pg.Client(postgres.url);
  await database.connect();
  try {
    await work({ workspace: await newWorkspace(), server, environment, database });
  } finally {
    await disconnect();
    provideSettings(before);
    await database.end();
    await server.stop();
    await postgres.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Starts `npm run worker` and waits until it is ready. */
async function startWorker(environment: Record<string, string>): Promise<ChildProcess> {
  const worker = spawn(node, [...strictly, join(root, "lib", "run", "worker.ts")], {
    cwd: root,
    env: { ...process.env, ...environment },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  worker.stderr!.on("data", (chunk) => (said += chunk));
  await expect.poll(() => said, { timeout: 60_000, intervals: [20] }).toContain("ready");
  return worker;
}

async function writeContracts({ api, ownerId }: Workspace, count: number): Promise<string[]> {
  const made: string[] = [];
  const writer = async () => {
    while (made.length < count) {
      const body = { title: "Told", type: "NDA", ourRole: "VENDOR", ownerId };
      const reply = await api("POST /contracts", { body });
      expect(reply.status, reply.text).toBe(201);
      made.push(reply.body.contract.id);
    }
  };
  await Promise.all([writer(), writer()]);
  return made;
}

/** Every event arrived and verifies, and repeated deliveries have the same id and the same bytes. */
function check({ received }: Receiver, secret: string, contracts: string[]): void {
  const texts = new Map<string, string>();
  const arrived = new Map<string, string>();
  for (const request of received) {
    if (!isSigned(secret, request)) throw new Error("A request does not verify.");
    const id = String(request.headers["webhook-id"]);
    expect(texts.get(id) ?? request.text).toBe(request.text);
    texts.set(id, request.text);
    const contract = request.event.data.contract.id;
    expect(arrived.get(contract) ?? id, "one event, one delivery").toBe(id);
    arrived.set(contract, id);
  }
  expect(contracts.filter((id) => !arrived.has(id))).toEqual([]);
}

test("deliveries of a killed worker are retried within a minute by another worker or the next to start", async () => {
  await onStage(async ({ workspace, environment, database }) => {
    const receiver = await startReceiver(() => "hang");
    const other = await startReceiver();
    const { id } = await subscribe(workspace, receiver);
    const bait = await subscribe(workspace, other);
    const claims = async (endpointId: string) =>
      (await database.query("SELECT claimed_by FROM deliveries WHERE endpoint_id = $1", [endpointId])).rows;
    const contract = await workspace.contract();
    // Accepts connections and never finishes its greeting.
    const mailServer = createServer((socket) => {
      socket.on("error", () => undefined).write("220 here\r\n");
      const talking = setInterval(() => socket.write("250-wait\r\n"), 1000).unref();
      socket.once("close", () => clearInterval(talking));
    });
    await new Promise<void>((resolve) => mailServer.listen(0, "127.0.0.1", resolve));
    const { port } = mailServer.address() as AddressInfo;
    const settings = { ...environment, SMTP_URL: `smtp://127.0.0.1:${port}` };
    await database.query("SELECT graphile_worker.add_job('mail.send', $1, max_attempts => 12)", [
      queuedMail("a@acme.example"),
    ]);
    const mailJob = async () =>
      (
        await database.query(
          "SELECT locked_by, attempts FROM graphile_worker.jobs WHERE task_identifier = 'mail.send'",
        )
      ).rows[0];
    const first = await startWorker(settings);
    await expect.poll(async () => (await mailJob()).attempts).toBe(1);
    const { locked_by: mailer } = await mailJob();
    await expect.poll(() => [receiver.received.length, other.received.length]).toEqual([1, 1]);
    await expect.poll(() => claims(bait.id)).toEqual([{ claimed_by: null }]);
    const [{ claimed_by: holder }] = await claims(id);
    const second = await startWorker(settings);
    // The live worker keeps its claims, even when those of dead workers are released.
    await database.query(
      `UPDATE deliveries SET claimed_by = 'nobody', status = 'PENDING', next_attempt_at = now()
       WHERE endpoint_id = $1`,
      [bait.id],
    );
    await expect.poll(() => other.received.length, { timeout: 60_000 }).toBe(2);
    expect(await claims(id)).toEqual([{ claimed_by: holder }]);
    expect(receiver.received).toHaveLength(1);
    first.kill("SIGKILL");
    await expect.poll(() => receiver.received.length, { timeout: 60_000 }).toBe(2);
    // The same holds for an e-mail, which loses none of its attempts.
    await expect.poll(async () => (await mailJob()).locked_by, { timeout: 60_000 }).toMatch(/./);
    await expect.poll(async () => (await mailJob()).locked_by, { timeout: 60_000 }).not.toBe(mailer);
    await expect.poll(mailJob, { timeout: 60_000 }).toMatchObject({ attempts: 1 });
    second.kill("SIGKILL");
    receiver.react = () => 200;
    const third = await startWorker(environment);
    await expect.poll(() => receiver.received.length, { timeout: 60_000 }).toBe(3);
    const requests = receiver.received;
    expect(new Set(requests.map(({ text }) => text)).size).toBe(1);
    expect(new Set(requests.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
    expect(requests[0]!.event.data.contract.id).toBe(contract.id);
    const read = async () =>
      (await database.query("SELECT status, attempt_count FROM deliveries WHERE endpoint_id = $1", [id]))
        .rows;
    await expect.poll(read).toEqual([{ status: "SUCCEEDED", attempt_count: 1 }]);
    third.kill("SIGTERM");
    await receiver.close();
    await other.close();
    mailServer.close();
  });
});

test("two workers together send every delivery exactly once", async () => {
  await onStage(async ({ workspace, environment, database }) => {
    const receiver = await startReceiver();
    const { secret } = await subscribe(workspace, receiver);
    const workers = await Promise.all([startWorker(environment), startWorker(environment)]);
    const contracts = await writeContracts(workspace, 300);
    // Once all have succeeded, nothing is left to send.
    const ended = async () =>
      (await database.query("SELECT status, attempt_count, count(*)::int FROM deliveries GROUP BY 1, 2"))
        .rows;
    await expect
      .poll(ended, { timeout: 20_000 })
      .toEqual([{ status: "SUCCEEDED", attempt_count: 1, count: contracts.length }]);
    expect(receiver.received).toHaveLength(contracts.length);
    check(receiver, secret, contracts);
    for (const worker of workers) worker.kill("SIGTERM");
    await receiver.close();
  });
});
