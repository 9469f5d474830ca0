/**
 * Signs requests in the environment's database, while a separate worker seals them. Prints in milliseconds how long the
 * last signer waited: `{single: {"10": […], "200": […]}, burstMs}`. `node bench/sign-requests.ts ORGANIZATION OWNER
 * RUNS BURST`: RUNS requests of each size one after another, then BURST requests that are completed at once.
 */
import "#lib/events/listen.ts";
import { setTimeout as wait } from "node:timers/promises";
import { contractPdf } from "#e2e/sealing.ts";
import { requestOf, signerAt } from "#e2e/signing.ts";
import { createContract } from "#lib/contracts/create.ts";
import { systemContext } from "#lib/core/context.ts";
import { disconnect, query } from "#lib/core/db.ts";

const [organizationId = "", ownerId = "", runs = "5", burst = "100"] = process.argv.slice(2);
const ctx = systemContext(organizationId, "bench");
const workspace = {
  ...{ organizationId, ownerId, ctx },
  contract: () => createContract(ctx, { title: "Agreement", type: "NDA", ourRole: "VENDOR", ownerId }),
};

/** Creates a request that needs only the last click. */
async function ready(pages: number) {
  const place = {
    type: "SIGNATURE",
    pageIndex: pages - 1,
    xPct: 10,
    yPct: 80,
    wPct: 30,
    hPct: 6,
    required: true,
  };
  const envelope = await requestOf(workspace, await contractPdf(pages), pages, [place]);
  const signer = await signerAt(workspace, envelope);
  await signer.fill();
  return { id: envelope.id as string, finish: () => signer.act("finish") };
}

async function untilCompleted(ids: string[]): Promise<void> {
  for (;;) {
    const [row] = await query<{ count: number }>(
      "SELECT count(*)::int AS count FROM envelopes WHERE organization_id = $1 AND id = ANY($2) AND status = 'COMPLETED'",
      [organizationId, ids],
    );
    if (row!.count === ids.length) return;
    await wait(5);
  }
}

const single: Record<string, number[]> = {};
// The first one finds no warm process waiting, and is not counted.
for (const pages of [10, 10, 200]) {
  const count = single[pages] || pages !== 10 ? Number(runs) : 1;
  const times: number[] = [];
  for (let at = 0; at < count; at++) {
    const { id, finish } = await ready(pages);
    await finish();
    const answered = performance.now();
    await untilCompleted([id]);
    times.push(performance.now() - answered);
  }
  single[pages] = times;
}
const waiting = [];
for (let at = 0; at < Number(burst); at++) waiting.push(await ready(10));
const started = performance.now();
await Promise.all(waiting.map(({ finish }) => finish()));
await untilCompleted(waiting.map(({ id }) => id));
const burstMs = performance.now() - started;
await disconnect();
console.log(JSON.stringify({ single, burstMs }));
