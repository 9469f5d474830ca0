/** What other webhook receivers notice of one that accepts every request and never responds: nothing. */
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "../fixtures.ts";
import { type Installation, install } from "../installation.ts";
import { type Receiver, startReceiver } from "../receiver.ts";

const eventsPerSecond = 40;
const sliceMs = 2000;
const rounds = 3;
/** A busy machine alone varies this much; waiting for the hanging receiver would take 15 seconds. */
const noiseMs = 1000;

test("a hanging webhook receiver raises the p99 latency of others by at most 10% plus one second", async () => {
  test.setTimeout(300_000);
  const installation = await install({ WEBHOOK_ALLOW_PRIVATE: "1", WEBHOOK_RETRY_SCHEDULE: "0.2,1,1" });
  const quick = await Promise.all([startReceiver(), startReceiver(), startReceiver()]);
  const hanging = await startReceiver(() => "hang");
  try {
    for (const receiver of quick) await subscribe(installation, receiver);
    const id = await subscribe(installation, hanging);
    const enable = async (enabled: boolean) => {
      await installation.api(`PATCH /webhook-endpoints/${id}`, { body: { enabled } });
      await pause(500);
    };
    await enable(false);
    await installation.work().ready;
    await slice(installation, quick);
    // In turns, so that other load on the machine affects both alike.
    const alone: number[] = [];
    const beside: number[] = [];
    for (let round = 0; round < rounds; round++) {
      await enable(false);
      alone.push(p99(await slice(installation, quick)));
      await enable(true);
      beside.push(p99(await slice(installation, quick)));
    }
    expect(hanging.received.length).toBeGreaterThan(0);
    const measured = `p99 in ms: ${alone.join(", ")} alone, ${beside.join(", ")} beside one that hangs`;
    process.stdout.write(`${measured}\n`);
    expect(median(beside), measured).toBeLessThan(median(alone) * 1.1 + noiseMs);
  } finally {
    await installation.close();
    for (const receiver of [...quick, hanging]) await receiver.close();
  }
});

async function subscribe({ api }: Installation, { url }: Receiver): Promise<string> {
  const made = await api("POST /webhook-endpoints", { body: { url } });
  expect(made.status, made.text).toBe(201);
  return made.body.endpoint.id;
}

/** Creates events at an even pace. Returns how long after each request its event arrived, at every quick receiver. */
async function slice({ api, ownerId }: Installation, quick: Receiver[]): Promise<number[]> {
  const asked = new Map<string, number>();
  const running: Promise<void>[] = [];
  const one = async () => {
    const at = Date.now();
    const body = { title: "Made", type: "NDA", ourRole: "VENDOR", ownerId };
    const reply = await api("POST /contracts", { body });
    if (reply.status !== 201) throw new Error(reply.text);
    asked.set(reply.body.contract.id, at);
  };
  for (const began = Date.now(); Date.now() < began + sliceMs; ) {
    running.push(one());
    await pause(Math.max(0, began + (running.length * 1000) / eventsPerSecond - Date.now()));
  }
  await Promise.all(running);
  const arrived = () => quick.every(({ received }) => received.length >= asked.size);
  await expect.poll(arrived, { timeout: 20_000, intervals: [20] }).toBe(true);
  return quick.flatMap(({ received }) =>
    received.splice(0).map(({ at, event }) => at - asked.get(event.data.contract.id)!),
  );
}

function p99(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.99)]!;
}

/** A burst of other work spoils one slice, not the median; a hanging receiver would spoil every slice. */
function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}
