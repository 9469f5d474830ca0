/**
 * `npm run bench -- rolling`: restarts two servers behind haproxy one after the other, repeatedly, while clients send
 * requests (mainly programs, through the API), each once. No request may fail.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { type Flags, say } from "./flags.ts";
import { judged } from "./limits.ts";
import { mixOf, type Shares } from "./mix.ts";
import { sendAll, summaryOf } from "./open-loop.ts";
import { machine, openGround, openSite } from "./site.ts";

const perSecondByDefault = 200;
/** The everyday mix at this rate is more than two processors can handle. */
const shares: Shares = { read: 90, page: 2, write: 7, upload: 1 };
/** Between two rounds of restarts: starting a server takes as much processor time as hundreds of requests. */
const pauseMs = 15_000;

export async function rollingBench(flags: Flags): Promise<void> {
  await using closing = new AsyncDisposableStack();
  const ground = await openGround(flags, closing);
  const site = await openSite(ground, 2, flags);
  closing.defer(() => site.close());
  const next = await mixOf(site, shares);
  const perSecond = flags.rate || perSecondByDefault;
  await sendAll(site.url, { perSecond: perSecond / 10, requests: perSecond, next });
  const over = new AbortController();
  let restarts = 0;
  const restarting = (async () => {
    while (!over.signal.aborted) {
      restarts += await site.restartServers();
      say(`${restarts} restarts`);
      await sleep(pauseMs, undefined, over).catch(() => undefined);
    }
  })();
  // An error is thrown by the `await` below; the requests are awaited first.
  restarting.catch(() => undefined);
  const outcome = await sendAll(site.url, { perSecond, requests: flags.requests, next });
  over.abort();
  await restarting;
  for (const [failure, { count, first }] of outcome.failures) say(`${count} times ${failure}: ${first}`);
  const { p50Ms, p99Ms, failed } = summaryOf(outcome);
  const { requests, seconds } = outcome;
  say(
    `${requests} requests in ${seconds.toFixed(0)} s, ${restarts} restarts, p50 ${p50Ms.toFixed(0)} ms, p99 ${p99Ms.toFixed(0)} ms`,
  );
  const what = `failed requests of ${requests.toLocaleString("en-US")}, with ${restarts} restarts`;
  const figures = judged([{ what, value: failed, atMost: 0, unit: "" }]);
  const failures = Object.fromEntries(outcome.failures);
  const told = { perSecond, requests, seconds, restarts, failed, failures, p50Ms, p99Ms, machine };
  process.stdout.write(flags.json ? `${JSON.stringify(told)}\n` : figures);
}
