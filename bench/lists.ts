/**
 * `npm run bench -- lists`: filters, sorts and searches in workspaces of several sizes, each request new to the server,
 * while the workspace changes twenty times a second. Fails if a limit is broken.
 */
import pg from "pg";
import { openDatabase } from "./database.ts";
import { type Flags, say } from "./flags.ts";
import { Connection } from "./http-client.ts";
import { closeOnInterrupt } from "./interrupt.ts";
import { type ListRequest, listRequests } from "./lists-requests.ts";
import { type ListRow, listsTable } from "./report.ts";
import { type Seeded, type Size, seeded } from "./seed.ts";
import { seedAround } from "./seed-around.ts";
import { type Server, startProduct } from "./servers.ts";
import { cookieHeader, signIn } from "./sign-in.ts";
import { Writer } from "./writer.ts";

const sizesByCount: Record<number, Size> = { 1000: "small", 100000: "main", 1000000: "large" };

export async function listsBench(flags: Flags): Promise<void> {
  await using closing = new AsyncDisposableStack();
  closeOnInterrupt(closing);
  const sizes = flags.sizes.map((count) => sizesByCount[count]);
  if (sizes.includes(undefined)) throw new TypeError("--sizes are 1000, 100000 and 1000000.");
  const database = await openDatabase(flags.keep);
  closing.defer(() => database.close());
  const seeds = await seeded(database, sizes as Size[]);
  for (const workspace of Object.values(seeds)) await seedAround(database.url, workspace);
  const server = await startProduct(database.url, flags.server);
  closing.defer(() => server.close());
  const rows: ListRow[] = [];
  for (const count of flags.sizes) {
    const workspace = seeds[sizesByCount[count]!]!;
    rows.push(...(await measureSize(database.url, server, { workspace, contracts: count }, flags)));
  }
  process.stdout.write(flags.json ? `${JSON.stringify({ rows })}\n` : listsTable(rows, flags.sizes));
  if (rows.some(({ holds }) => !holds)) process.exitCode = 1;
}

async function measureSize(
  url: string,
  server: Server,
  measured: { workspace: Seeded; contracts: number },
  { only, rounds }: Flags,
): Promise<ListRow[]> {
  const { workspace, contracts } = measured;
  const cookies = await signIn(url, workspace.userIds[0]!, `http://127.0.0.1:${server.port}`);
  const requests = listRequests({ ...measured, cookie: cookieHeader(cookies), port: server.port });
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const writer = new Writer(url, workspace);
  await writer.connect();
  const connection = await Connection.open(server.port);
  const rows: ListRow[] = [];
  try {
    writer.start();
    for (const request of requests.filter(({ name }) => name.includes(only))) {
      const row = await measure(request, connection, client, rounds * 10);
      rows.push({ contracts, ...row });
      const { p50Ms, p95Ms, bareP50Ms } = row;
      say(`${contracts}: ${request.name}: p50 ${ms(p50Ms)}, p95 ${ms(p95Ms)}, bare p50 ${ms(bareP50Ms)}`);
    }
  } finally {
    connection.close();
    await writer.close();
    await client.end();
  }
  return rows;
}

const ms = (value: number) => `${value.toFixed(1)} ms`;

/** Sends requests one after another: measures what a single user waits for. */
async function measure(request: ListRequest, connection: Connection, client: pg.Client, count: number) {
  const times = await timesOf(count, async () => {
    const reply = await connection.ask(request.next(), true);
    if (reply.status !== 200) throw new Error(`${request.name} answered ${reply.status}: ${reply.body}`);
  });
  const bare = await timesOf(3, async () => {
    for (const { text, values } of request.bare) await client.query(text, values);
  });
  const p95Ms = at(times, 0.95);
  return {
    ...{ request: request.name, p50Ms: at(times, 0.5), p95Ms, bareP50Ms: at(bare, 0.5) },
    ...{ limitMs: request.limitMs, holds: p95Ms <= request.limitMs },
  };
}

async function timesOf(count: number, work: () => Promise<void>): Promise<number[]> {
  await work();
  const times: number[] = [];
  for (let turn = 0; turn < count; turn++) {
    const started = performance.now();
    await work();
    times.push(performance.now() - started);
  }
  return times.sort((a, b) => a - b);
}

const at = (sorted: number[], share: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
