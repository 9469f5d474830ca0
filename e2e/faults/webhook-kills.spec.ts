/** What webhook receivers can rely on when the worker is killed 50 times, at random, during 5,000 events. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { Webhook } from "standardwebhooks";
import { expect, test } from "../fixtures.ts";
import { type Installation, install } from "../installation.ts";
import { randomNumbers, seed } from "../random.ts";
import { type Received, type Receiver, startReceiver } from "../receiver.ts";

const kills = 50;
const eventsALife = 100;
const longestLifeMs = 800;

interface Target {
  name: string;
  id: string;
  secret: string;
  receiver: Receiver;
}

test.describe.configure({ mode: "serial" });

let installation: Installation;
let targets: Target[];
/** What the API has confirmed, as `<event type> <contract id>`. */
const committed: string[] = [];

test.beforeAll(async () => {
  test.setTimeout(600_000);
  process.stdout.write(`FAULTS_SEED=${seed}\n`);
  installation = await install({
    WEBHOOK_ALLOW_PRIVATE: "1",
    // So many that the flaky receiver never runs out of attempts.
    WEBHOOK_RETRY_SCHEDULE: ["0.2", "0.5", ...Array(38).fill("1")].join(","),
  });
  const flakiness = randomNumbers("flaky");
  const slowness = randomNumbers("slow");
  targets = await Promise.all([
    target("steady", () => 204),
    target("flaky", () => ([500, "drop", 200, 200] as const)[Math.floor(flakiness() * 4)]!),
    target("slow", () => ({ status: 200, afterMs: 10 + slowness() * 50 })),
  ]);
  const life = randomNumbers("life");
  for (let kill = 0; kill < kills; kill++) {
    await Promise.all([produce(eventsALife / 2), liveFor(life() * longestLifeMs)]);
  }
  const survivor = installation.work();
  await expect.poll(unfinished, { timeout: 300_000, intervals: [100] }).toBe(0);
  await survivor.end("SIGTERM");
});

test.afterAll(async () => {
  await installation?.close();
  for (const { receiver } of targets ?? []) await receiver.close();
});

/** Errors of standardwebhooks when it verifies requests on arrival. */
const unverified: unknown[] = [];

async function target(name: string, react: Receiver["react"]): Promise<Target> {
  let secret = "";
  const receiver = await startReceiver((received, nth) => {
    try {
      new Webhook(secret).verify(received.text, received.headers as Record<string, string>);
    } catch (error) {
      unverified.push(error);
    }
    return react(received, nth);
  });
  const body = { url: `${receiver.url}/${name}`, events: ["*"] };
  const made = await installation.api("POST /webhook-endpoints", { body });
  expect(made.status, made.text).toBe(201);
  secret = made.body.secret;
  return { name, id: made.body.endpoint.id, secret, receiver };
}

/** Creates this many contracts and changes each: two events per contract. */
async function produce(contracts: number): Promise<void> {
  const { ownerId } = installation;
  const lane = async () => {
    while (contracts-- > 0) {
      const body = { title: "Made", type: "NDA", ourRole: "VENDOR", ownerId };
      const { id } = await write("POST /contracts", body);
      committed.push(`contract.created ${id}`);
      await write(`PATCH /contracts/${id}`, { title: "Changed" });
      committed.push(`contract.updated ${id}`);
    }
  };
  await Promise.all([lane(), lane(), lane(), lane()]);
}

async function write(request: `${string} /${string}`, body: object): Promise<{ id: string }> {
  const reply = await installation.api(request, { body });
  if (!reply.body.contract) throw new Error(reply.text);
  return reply.body.contract;
}

/** Runs a worker and kills it this long after it was ready. */
async function liveFor(ms: number): Promise<void> {
  const worker = installation.work();
  await worker.ready;
  await pause(ms);
  await worker.end("SIGKILL");
}

async function unfinished(): Promise<number> {
  const sql = "SELECT count(*)::int AS count FROM deliveries WHERE status <> 'SUCCEEDED'";
  return (await installation.select<{ count: number }>(sql))[0]!.count;
}

const nameOf = ({ event }: Received) => `${event.type} ${event.data.contract.id}`;
const deliveryOf = ({ headers }: Received) => String(headers["webhook-id"]);

test("every committed event has a delivery to every endpoint", async () => {
  expect(committed).toHaveLength(kills * eventsALife);
  const events = await installation.select<{ name: string; endpoints: string[] }>(
    `SELECT e.type || ' ' || (e.payload::json #>> '{data,contract,id}') AS name,
       array_agg(d.endpoint_id ORDER BY d.endpoint_id) AS endpoints
     FROM events e LEFT JOIN deliveries d ON d.organization_id = e.organization_id AND d.event_id = e.id
     GROUP BY e.organization_id, e.id`,
  );
  expect(events.map(({ name }) => name).sort()).toEqual(committed.toSorted());
  const all = targets.map(({ id }) => id).sort();
  expect(events.filter(({ endpoints }) => endpoints.join() !== all.join())).toEqual([]);
});

test("every delivery arrives and ends as SUCCEEDED", async () => {
  expect(await unfinished()).toBe(0);
  for (const { receiver } of targets) {
    expect([...new Set(receiver.received.map(nameOf))].sort()).toEqual(committed.toSorted());
  }
});

test("a repeated delivery has the same webhook-id and the same bytes", () => {
  for (const { receiver } of targets) {
    const byEvent = Map.groupBy(receiver.received, ({ event }) => event.id);
    const differing = [...byEvent.values()].filter(
      ([first, ...again]) =>
        !again.every((one) => one.text === first!.text && deliveryOf(one) === deliveryOf(first!)),
    );
    expect(differing).toEqual([]);
    const ids = new Set(receiver.received.map(deliveryOf));
    expect(ids.size, "one webhook-id an event").toBe(byEvent.size);
  }
  const { received } = targets.find(({ name }) => name === "steady")!.receiver;
  expect(received.length, "else no kill has hit a delivery on its way").toBeGreaterThan(committed.length);
});

test("every request verifies with standardwebhooks and with an independent check in Python", async () => {
  test.setTimeout(300_000);
  const requests = targets.flatMap(({ receiver, secret }) =>
    receiver.received.map((request) => ({ request, secret })),
  );
  expect(unverified).toEqual([]);
  const lines = requests.map(({ request: { headers, text }, secret }) =>
    JSON.stringify([
      secret,
      headers["webhook-id"],
      headers["webhook-timestamp"],
      headers["webhook-signature"],
      text,
    ]),
  );
  expect(await verifiedInPython(lines)).toBe(requests.length);
});

const python = `
import base64, hashlib, hmac, json, sys
verified = 0
for line in sys.stdin:
    secret, id, timestamp, signature, text = json.loads(line)
    key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    signed = f"{id}.{timestamp}.{text}".encode()
    expected = b"v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
    verified += hmac.compare_digest(expected, signature.encode())
print(verified)
`;

/** Returns how many requests verify. Each line is a JSON array: secret, id, timestamp, signature, body. */
async function verifiedInPython(lines: string[]): Promise<number> {
  const child = spawn("python3", ["-c", python], { stdio: ["pipe", "pipe", "inherit"] });
  let said = "";
  child.stdout.on("data", (chunk) => (said += chunk));
  child.stdin.end(`${lines.join("\n")}\n`);
  await once(child, "close");
  return Number(said);
}
