/** Webhooks: how soon an event arrives after its commit, and how many per second are sent from a backlog. */
import { setTimeout as sleep } from "node:timers/promises";
import { type BenchDatabase, openDatabase } from "./database.ts";
import { type Flags, say } from "./flags.ts";
import { Connection, requestText } from "./http-client.ts";
import { closeOnInterrupt } from "./interrupt.ts";
import { type Seeded, seeded } from "./seed.ts";
import { type Server, startBareSender, startProduct, startWorker } from "./servers.ts";
import { type Arrival, Receiver } from "./webhook-receiver.ts";
import { type Delay, json, type Rate, table } from "./webhook-report.ts";

const eventsPerSecond = 50;
const backlog = 2000;
/** Connections to one endpoint; the product uses as many (lib/webhooks/slots.ts). */
const connections = 8;

const receiverSettings = { WEBHOOK_ALLOW_PRIVATE: "1" };

interface Bench {
  database: BenchDatabase;
  workspace: Seeded;
  receiver: Receiver;
  flags: Flags;
}

export async function webhooksBench(flags: Flags): Promise<void> {
  const closing = new AsyncDisposableStack();
  await using _ = closing;
  closeOnInterrupt(closing);
  const database = await openDatabase(flags.keep);
  closing.defer(() => database.close());
  const workspace = (await seeded(database, ["small"])).small!;
  const receiver = await new Receiver().open();
  closing.defer(() => receiver.close());
  const bench = { database, workspace, receiver, flags };
  const delays = "delay".includes(flags.only) ? await measureDelays(bench) : [];
  const rates = "backlog".includes(flags.only) ? await measureBacklog(bench) : [];
  process.stdout.write(flags.json ? json(delays, rates) : table(delays, rates));
}

/** Runs the product as `npm start` does, with its worker inside. The commit lies between request and response. */
async function measureDelays({ database, workspace, receiver, flags }: Bench): Promise<Delay[]> {
  const settings = { ...receiverSettings, WORKER: "inline" };
  await using server = disposing(await startProduct(database.url, flags.server, settings));
  await subscribe(server, workspace, receiver);
  await load(server, workspace, eventsPerSecond, flags.seconds);
  await receiver.take(Math.round(eventsPerSecond * flags.seconds));
  const seconds = flags.seconds * 10;
  const moments = await load(server, workspace, eventsPerSecond, seconds);
  const sinceRequest: number[] = [];
  const sinceAnswer: number[] = [];
  for (const { at, body } of await receiver.take(moments.size)) {
    const { asked, answered } = moments.get(contractIn(body))!;
    sinceRequest.push(at - asked);
    sinceAnswer.push(Math.max(0, at - answered));
  }
  await unsubscribe(server, workspace);
  say(`${moments.size} events in ${seconds} s have arrived`);
  return [
    { since: "the request", times: sinceRequest },
    { since: "its answer", times: sinceAnswer },
  ];
}

interface Moments {
  asked: number;
  answered: number;
}

/** Creates contracts at an even pace, however slow the responses. Returns when each was requested and answered. */
async function load(server: Server, workspace: Seeded, perSecond: number, seconds: number) {
  const moments = new Map<string, Moments>();
  const idle: Connection[] = [];
  const running: Promise<void>[] = [];
  const one = async () => {
    const connection = idle.pop() ?? (await Connection.open(server.port));
    const asked = performance.now();
    const { contract } = await ask(connection, creation(workspace), 201);
    moments.set(contract.id, { asked, answered: performance.now() });
    idle.push(connection);
  };
  const began = performance.now();
  for (let n = 0; n < perSecond * seconds; n++) {
    await sleep(Math.max(0, began + (n * 1000) / perSecond - performance.now()));
    running.push(one());
  }
  await Promise.all(running);
  for (const connection of idle) connection.close();
  return moments;
}

/** Alternates between a worker that starts with a backlog, and the reference that sends the same bodies. */
async function measureBacklog({ database, workspace, receiver, flags }: Bench): Promise<Rate[]> {
  const settings = { ...receiverSettings, WORKER: "off" };
  await using server = disposing(await startProduct(database.url, flags.server, settings));
  const secret = await subscribe(server, workspace, receiver);
  const rates: Rate[] = [
    { sender: "countersign", perSecond: [] },
    { sender: "bare loop", perSecond: [] },
  ];
  for (let round = 0; round < flags.rounds; round++) {
    let worker: ReturnType<typeof startWorker>;
    const arrivals = await throughBacklog(server, {
      ...{ workspace, receiver },
      worker: {
        start: () => (worker = startWorker(database.url, receiverSettings)),
        stop: () => worker.close(),
      },
    });
    rates[0]!.perSecond.push(rateOf(arrivals));
    const bodies = arrivals.map(({ body }) => body);
    const sender = startBareSender({ url: receiver.url, secret, bodies, connections });
    rates[1]!.perSecond.push(rateOf(await receiver.take(backlog)));
    await sender.close();
    say(
      `backlog of ${backlog}: ${rates.map((rate) => Math.round(rate.perSecond.at(-1)!)).join(", ")} a second`,
    );
  }
  return rates;
}

interface Delivering {
  workspace: Seeded;
  receiver: Receiver;
  worker: { start(): unknown; stop(): Promise<void> };
}

/** Starts a worker with a backlog, and returns the deliveries. */
export async function throughBacklog(
  server: Pick<Server, "port">,
  { workspace, receiver, worker }: Delivering,
): Promise<Arrival[]> {
  await fill(server, workspace);
  worker.start();
  const arrivals = await receiver.take(backlog);
  await worker.stop();
  return arrivals;
}

/** Deliveries per second from the first to the last, so that the start of the process does not count. */
export const rateOf = (arrivals: { at: number }[]) =>
  ((arrivals.length - 1) / (arrivals.at(-1)!.at - arrivals[0]!.at)) * 1000;

async function fill(server: Pick<Server, "port">, workspace: Seeded): Promise<void> {
  let left = backlog;
  const lane = async () => {
    const connection = await Connection.open(server.port);
    while (left-- > 0) await ask(connection, creation(workspace), 201);
    connection.close();
  };
  await Promise.all(Array.from({ length: connections }, lane));
}

const creation = ({ key, userIds }: Seeded) =>
  requestText("POST", "/contracts", key, {
    ...{ title: "Bench delivery", type: "NDA", ourRole: "VENDOR", ownerId: userIds[0] },
  });

const contractIn = (body: string): string => JSON.parse(body).data.contract.id;

async function ask(connection: Connection, request: string, status: number) {
  const reply = await connection.ask(request, true);
  if (reply.status !== status) throw new Error(`The server answered ${reply.status}: ${reply.body}`);
  return reply.body ? JSON.parse(reply.body) : null;
}

/** Registers the receiver as an endpoint; returns its secret. */
export async function subscribe(
  server: Pick<Server, "port">,
  { key }: Seeded,
  { url }: Receiver,
): Promise<string> {
  const connection = await Connection.open(server.port);
  const request = requestText("POST", "/webhook-endpoints", key, { url, events: ["contract.created"] });
  const { secret } = await ask(connection, request, 201);
  connection.close();
  return secret;
}

export async function unsubscribe(server: Pick<Server, "port">, { key }: Seeded): Promise<void> {
  const connection = await Connection.open(server.port);
  const { endpoints } = await ask(connection, requestText("GET", "/webhook-endpoints", key), 200);
  for (const { id } of endpoints) {
    await ask(connection, requestText("DELETE", `/webhook-endpoints/${id}`, key), 204);
  }
  connection.close();
}

const disposing = (server: Server) => ({ ...server, [Symbol.asyncDispose]: () => server.close() });
