/** A cluster's life: everyone at work, one fault after the other, and what the checker says in the end. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { randomNumbers } from "../random.ts";
import { check, type Finding } from "./checker.ts";
import { type Api, apiOf, type Running, startClient } from "./clients.ts";
import { type Cluster, startCluster } from "./cluster.ts";
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
  /** How much clients were told. */
  told: number;
}

const clients = 3;

/** Everyone at work, on a cluster of its own. */
export async function liveThrough(name: string, plan: string[], folder: string): Promise<Judged> {
  await mkdir(folder, { recursive: true });
  const history = openHistory(join(folder, "history.jsonl"));
  const cluster = await startCluster();
  const random = randomNumbers(name);
  const scene = { cluster, history, api: apiOf(cluster, history), random };
  try {
    await listen(scene);
    const running = await startEveryone(scene, name);
    const broken: Broken[] = [];
    for (const fault of plan) {
      broken.push(await breakOne(cluster, scene, fault));
      process.stdout.write(`${fault}: ${broken.at(-1)!.recoveryMs} ms\n`);
    }
    // A client that could not go on has something to say, too.
    const told = (error: Error) => history.add({ what: "wronged", says: error.message });
    await Promise.all(running.map((one) => one.stop().catch(told)));
    const outcome = await findOutcome(cluster, history);
    await writeFile(join(folder, "outcome.json"), JSON.stringify(outcome, null, 2));
    return { findings: check(history.told, outcome), broken, told: history.told.length };
  } finally {
    const said = Object.values(cluster.parts)
      .flat()
      .map((part) => `${part.name}\n${part.said()}`);
    await writeFile(join(folder, "output.txt"), said.join("\n\n"));
    await cluster.close();
  }
}

async function startEveryone(scene: Scene, name: string): Promise<Running[]> {
  const { cluster, history, api, random } = scene;
  const sender = await startSender(cluster, history, api, random);
  const programs = Array.from({ length: clients }, (_, index) =>
    startClient(api, randomNumbers(`${name}, client ${index}`)),
  );
  return [sender, ...programs];
}

/** Webhooks go into the history as they come. The receiver is a little slow, and refuses one in eight. */
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
