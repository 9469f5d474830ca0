/**
 * `npm run bench -- load`: how much one machine handles, with one server and with two. Measures the highest rate of the
 * everyday mix at which 99 of 100 requests are answered within 100 ms, and the cost of each request; documents signed
 * and sealed for four concurrent senders; and webhooks.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { apiOf, keepDoing } from "#e2e/cluster/clients.ts";
import { openHistory } from "#e2e/cluster/history.ts";
import { haveSigned } from "#e2e/cluster/signatures.ts";
import { type Flags, say } from "./flags.ts";
import { type Sealed, type SiteRow, type Step, stepLine, tableOf } from "./load-report.ts";
import { kinds, mixOf } from "./mix.ts";
import { sendAll, summaryOf } from "./open-loop.ts";
import { type Ground, machine, openGround, openSite, type Site } from "./site.ts";
import { Receiver } from "./webhook-receiver.ts";
import { rateOf, subscribe, throughBacklog, unsubscribe } from "./webhooks.ts";

const limitMs = 100;
const firstRate = 20;
/** Requests to each server before the first step, so that its code is compiled by then. */
const warmUp = 1000;
/** Requests per step: with fewer, two that are late by chance would be more than one in a hundred. */
const fewest = 1000;
/** Relative to the rate that holds: the search ends when the gap is smaller than this. */
const precision = 0.1;
/** People who have documents signed concurrently, each one document after another. */
const senders = 4;

export async function loadBench(flags: Flags): Promise<void> {
  await using closing = new AsyncDisposableStack();
  const ground = await openGround(flags, closing);
  const rows: SiteRow[] = [];
  for (const servers of [1, 2] as const) {
    await using opened = new AsyncDisposableStack();
    const site = await openSite(ground, servers, flags);
    opened.defer(() => site.close());
    say(servers === 1 ? "one server and a worker" : "two servers behind haproxy, and a worker");
    const steps = await findRate(ground, site, servers, flags.seconds * 10);
    const sealed = await seal(ground, site, flags.seconds * 30);
    await idle(ground);
    rows.push({ servers, steps, sealed, webhooksPerSecond: await deliver(site) });
  }
  process.stdout.write(flags.json ? `${JSON.stringify({ limitMs, rows, machine })}\n` : tableOf(rows));
}

/** Doubles the rate while it holds, then bisects between the rate that held and the one that did not. */
async function findRate(ground: Ground, site: Site, servers: number, seconds: number): Promise<Step[]> {
  const next = await mixOf(site);
  await sendAll(site.url, { perSecond: firstRate, requests: warmUp * servers, next });
  const steps: Step[] = [];
  let [holds, broken] = [0, Infinity];
  for (let rate = firstRate; ; ) {
    await idle(ground);
    const step = await takeStep(ground, site, {
      perSecond: rate,
      requests: Math.max(fewest, Math.round(rate * seconds)),
      next,
    });
    steps.push(step);
    say(stepLine(step));
    if (step.holds) holds = rate;
    else broken = rate;
    if (broken - holds <= Math.max(1, holds * precision)) return steps;
    rate = Math.round(broken === Infinity ? rate * 2 : (holds + broken) / 2);
  }
}

async function takeStep(
  ground: Ground,
  site: Site,
  plan: { perSecond: number; requests: number; next: Awaited<ReturnType<typeof mixOf>> },
): Promise<Step> {
  const before = site.cpu();
  const outcome = await sendAll(site.url, { ...plan, hopelessAboveMs: limitMs });
  const used = Object.entries(site.cpu()).map(([name, ms]) => [
    name,
    (ms - before[name]!) / outcome.requests,
  ]);
  // Not while requests are timed: reading it takes this process longer than a request may take.
  const memoryMb = site.memory();
  for (const [failure, { count, first }] of outcome.failures) say(`  ${count} times ${failure}: ${first}`);
  const { p50Ms, p99Ms, failed } = summaryOf(outcome);
  return {
    perSecond: plan.perSecond,
    requests: outcome.requests,
    ...{ p50Ms, p99Ms, failed, memoryMb },
    holds: failed === 0 && p99Ms <= limitMs && outcome.requests === plan.requests,
    p99MsByKind: Object.fromEntries(kinds.map((kind) => [kind, summaryOf(outcome, kind).p99Ms])),
    cpuMsPerRequest: Object.fromEntries(used),
    jobsWaiting: await jobsDue(ground),
  };
}

async function jobsDue({ client }: Ground): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    "SELECT count(*)::int AS count FROM graphile_worker.jobs WHERE run_at <= now() AND attempts < max_attempts",
  );
  return rows[0]!.count;
}

/** Waits until the worker has done the jobs that the previous step left. */
async function idle(ground: Ground): Promise<void> {
  while ((await jobsDue(ground)) > 0) await sleep(200);
}

/** Runs whole ceremonies of two people each, starting with a new contract. Counts sealed documents. */
async function seal({ client }: Ground, site: Site, seconds: number): Promise<Sealed> {
  const { url, workspace, cookie } = site;
  const history = openHistory();
  const api = apiOf({ url, key: workspace.key, ownerId: workspace.userIds[0]! }, history);
  const ceremony = () => haveSigned(site, { history, api, cookie });
  const running = Array.from({ length: senders }, () => keepDoing(ceremony, () => 0, 0));
  const completed = async () => {
    const text =
      "SELECT count(*)::int AS count FROM envelopes WHERE organization_id = $1 AND status = 'COMPLETED'";
    const { rows } = await client.query<{ count: number }>(text, [workspace.organizationId]);
    return rows[0]!.count;
  };
  await sleep(5000);
  const [before, beforeCpu, began] = [await completed(), site.cpu(), performance.now()];
  await sleep(seconds * 1000);
  const documents = (await completed()) - before;
  const took = (performance.now() - began) / 1000;
  const used = Object.entries(site.cpu()).map(([name, ms]) => [name, (ms - beforeCpu[name]!) / documents]);
  await Promise.all(running.map((one) => one.stop()));
  const wronged = history.told.find(({ what }) => what === "wronged");
  if (wronged) throw new Error(`While documents were signed: ${JSON.stringify(wronged)}`);
  say(`${documents} documents were signed and sealed in ${took.toFixed(0)} s, by ${senders} senders`);
  return { documents, seconds: took, cpuMsPerDocument: Object.fromEntries(used) };
}

/** Returns how many webhooks per second a worker delivers when it starts with a backlog. */
async function deliver(site: Site): Promise<number> {
  await using closing = new AsyncDisposableStack();
  const receiver = await new Receiver().open();
  closing.defer(() => receiver.close());
  await subscribe(site, site.workspace, receiver);
  await site.worker.stop();
  const rate = rateOf(await throughBacklog(site, { ...site, receiver }));
  await unsubscribe(site, site.workspace);
  say(`${rate.toFixed(0)} webhooks a second`);
  return rate;
}
