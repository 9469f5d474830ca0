/**
 * `npm run bench -- soak`: two servers and a worker handle the everyday mix and signing at a moderate rate for an hour.
 * Afterwards they must hold as much memory as after ten minutes.
 */
import { apiOf, keepDoing } from "#e2e/cluster/clients.ts";
import { openHistory } from "#e2e/cluster/history.ts";
import { haveSigned } from "#e2e/cluster/signatures.ts";
import { type Flags, say } from "./flags.ts";
import { growthOf } from "./growth.ts";
import { judged } from "./limits.ts";
import { mixOf } from "./mix.ts";
import { sendAll, summaryOf } from "./open-loop.ts";
import { type Figures, machine, openGround, openSite } from "./site.ts";

const perSecondByDefault = 40;
/** The longest pause between two signature requests. */
const longestPauseMs = 5000;
/** For a process and its children: sixty megabytes an hour is a leak; less is within what caches vary by. */
const maxMbPerMinute = 1;
const looksAMinute = 12;

export async function soakBench(flags: Flags): Promise<void> {
  await using closing = new AsyncDisposableStack();
  const ground = await openGround(flags, closing);
  const site = await openSite(ground, 2, flags);
  closing.defer(() => site.close());
  const { url, workspace, cookie } = site;
  const history = openHistory();
  const api = apiOf({ url, key: workspace.key, ownerId: workspace.userIds[0]! }, history);
  const people = keepDoing(() => haveSigned(site, { history, api, cookie }), Math.random, longestPauseMs);
  const looks: { minute: number; memoryMb: Figures }[] = [];
  const began = performance.now();
  const looking = setInterval(() => {
    looks.push({ minute: (performance.now() - began) / 60_000, memoryMb: site.memory() });
    if (looks.length % looksAMinute === 0)
      say(minuteLine(looks.slice(-looksAMinute).map(({ memoryMb }) => memoryMb)));
  }, 60_000 / looksAMinute);
  const perSecond = flags.rate || perSecondByDefault;
  const requests = Math.round(perSecond * 60 * flags.minutes);
  const outcome = await sendAll(url, { perSecond, requests, next: await mixOf(site) });
  clearInterval(looking);
  // The last request of the signers may be what failed.
  await people.stop().catch(({ message: says }: Error) => history.add({ what: "wronged", says }));
  for (const [failure, { count, first }] of outcome.failures) say(`${count} times ${failure}: ${first}`);
  const { p99Ms, failed } = summaryOf(outcome);
  const signed = history.told.filter(({ what }) => what === "signed").length;
  const wronged = history.told.filter(({ what }) => what === "wronged");
  for (const one of wronged) say(`While documents were signed: ${JSON.stringify(one)}`);
  say(`${requests} requests, p99 ${p99Ms.toFixed(0)} ms, ${signed} documents signed by two`);
  const parts = Object.keys(looks[0]!.memoryMb).filter((name) => name !== "this client");
  const growth = parts.map((name) => ({
    ...{ name, lastMb: looks.at(-1)!.memoryMb[name]! },
    mbPerMinute: growthOf(
      looks.map(({ minute, memoryMb }) => ({ minute, mb: memoryMb[name]! })),
      flags.minutes,
    ),
  }));
  const figures = judged([
    ...growth.map(({ name, mbPerMinute }) => ({
      ...{ what: `memory of ${name} grows`, value: mbPerMinute, atMost: maxMbPerMinute },
      ...{ unit: "MB a minute", digits: 2 },
    })),
    { what: `failed requests of ${requests.toLocaleString("en-US")}`, value: failed, atMost: 0, unit: "" },
    { what: "failures while documents were signed", value: wronged.length, atMost: 0, unit: "" },
  ]);
  const told = {
    perSecond,
    requests,
    minutes: flags.minutes,
    failed,
    p99Ms,
    signed,
    wronged: wronged.length,
    growth,
    looks,
    machine,
  };
  process.stdout.write(flags.json ? `${JSON.stringify(told)}\n` : figures);
}

/** The minimum of each part in a minute. */
function minuteLine(looks: Figures[]): string {
  const parts = Object.keys(looks[0]!);
  const least = parts.map((name) => `${name} ${Math.min(...looks.map((look) => look[name]!)).toFixed(0)}`);
  return `MB: ${least.join(", ")}`;
}
