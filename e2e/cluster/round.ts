/** The life of a cluster: everyone works, one fault follows another, and the checker judges the result. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { randomNumbers } from "../random.ts";
import { until } from "./ask.ts";
import { check, type Finding } from "./checker.ts";
import { type Api, apiOf, type Running, startClient, startSharing } from "./clients.ts";
import { type Cluster, type Product, startCluster } from "./cluster.ts";
import { type Broken, breakOne } from "./faults.ts";
import { type History, openHistory } from "./history.ts";
import { findOutcome } from "./outcome.ts";
import { startSender } from "./signatures.ts";

export interface Scene {
  cluster: Cluster;
  history: History;
  api: Api;
  random: () => number;
}

export interface Judged {
  findings: Finding[];
  broken: Broken[];
  /** The number of facts in the history. */
  told: number;
}

/** A fault, and optionally a query that must return rows before it starts; otherwise it follows the previous one. */
export interface Step {
  fault: string;
  when?: string;
}

export interface Life {
  plan: Step[];
  /** Whatever takes longer is aborted and fails; must be shorter than the test's own timeout. */
  longestMs: number;
  product?: Product;
  /** The least everyday work before the end, if that much is possible. */
  least?: { created: number; signed: number };
  /** How long the remaining work may stay the same at the end. */
  patienceMs?: number;
}

const clients = 3;

/** The timeout for a test that contains such a life, including the start before it and the shutdown after it. */
export const withStart = (longestMs: number) => longestMs + 300_000;

/** Runs everyone on a new cluster, and writes the details to files in `folder`. */
export async function liveThrough(name: string, folder: string, life: Life): Promise<Judged> {
  await mkdir(folder, { recursive: true });
  const history = openHistory(join(folder, "history.jsonl"));
  const cluster = await startCluster(life.product);
  const random = randomNumbers(name);
  const scene = { cluster, history, api: apiOf(cluster, history), random };
  try {
    const judged = await within(life.longestMs, live(scene, name, folder, life));
    await writeFile(join(folder, "findings.json"), JSON.stringify(judged.findings, null, 2));
    print(name, judged);
    return judged;
  } finally {
    const said = Object.values(cluster.parts)
      .flat()
      .map((part) => `${part.name}\n${part.said()}`);
    await writeFile(join(folder, "output.txt"), said.join("\n\n"));
    await cluster.close();
  }
}

async function live(scene: Scene, name: string, folder: string, life: Life): Promise<Judged> {
  const { cluster, history } = scene;
  await listen(scene);
  const running = await startEveryone(scene, name);
  const broken: Broken[] = [];
  for (const { fault, when } of life.plan) {
    if (when) await until(when, async () => (await cluster.primary().query(when)).length > 0);
    broken.push(await breakOne(cluster, scene, fault));
    process.stdout.write(`${name}: ${fault}: ${broken.at(-1)!.recoveryMs} ms\n`);
  }
  if (life.least) await workFor(life.least, history);
  // The error of a client that had to stop is recorded, too.
  const told = (error: Error) => history.add({ what: "wronged", says: error.message });
  await Promise.all(running.map((one) => one.stop().catch(told)));
  const outcome = await findOutcome(cluster, history, life.patienceMs);
  await writeFile(join(folder, "outcome.json"), JSON.stringify(outcome, null, 2));
  return { findings: check(history.told, outcome), broken, told: history.told.length };
}

/** Rejects if it takes longer. What still runs then fails once the cluster is closed. */
async function within<Result>(ms: number, running: Promise<Result>): Promise<Result> {
  running.catch(() => undefined);
  const over = new AbortController();
  const late = pause(ms, undefined, { signal: over.signal }).then(() => {
    throw new Error(`It is not over after ${ms / 1000} s.`);
  });
  return Promise.race([running, late]).finally(() => over.abort());
}

const mostPrinted = 30;

function print(name: string, { told, findings }: Judged): void {
  const lines = findings.slice(0, mostPrinted).map(({ kind, says }) => `  ${kind}: ${says}`);
  if (findings.length > mostPrinted) lines.push("  … and more in findings.json");
  process.stdout.write(`${[`${name}: ${told} events, ${findings.length} findings`, ...lines].join("\n")}\n`);
}

async function startEveryone(scene: Scene, name: string): Promise<Running[]> {
  const { cluster, history, api, random } = scene;
  const sender = await startSender(cluster, history, api, random);
  const programs = Array.from({ length: clients }, (_, index) =>
    startClient(api, randomNumbers(`${name}, client ${index}`)),
  );
  return [sender, await startSharing(api, randomNumbers(`${name}, sharing`)), ...programs];
}

/** With a bug, this much work may never be done. */
const longestWorkMs = 20_000;

async function workFor(least: NonNullable<Life["least"]>, { told }: History): Promise<void> {
  const count = (what: keyof typeof least) => told.filter((one) => one.what === what).length;
  const isEnough = () => count("created") >= least.created && count("signed") >= least.signed;
  await until("Everyday work", isEnough, longestWorkMs).catch(() => undefined);
}

/** Records webhooks in the history as they arrive. The receiver is a little slow, and rejects one in eight. */
async function listen({ cluster: { receiver }, history, api }: Scene): Promise<void> {
  const random = randomNumbers("receiver");
  receiver.react = ({ headers, event, text }) => {
    const { contract, envelope } = event.data;
    const { id: subject = "" } = envelope ?? contract ?? {};
    const accepted = random() < 7 / 8;
    history.add({
      ...{ what: "delivered", id: String(headers["webhook-id"]), event: event.id },
      ...{ type: event.type, subject, text, accepted },
    });
    return { status: accepted ? 204 : 503, afterMs: random() * 600 };
  };
  const made = await api.call("POST /webhook-endpoints", { url: receiver.url, events: ["*"] });
  if (made.status !== 201) throw new Error(made.text);
}
