/** Programs with an API key: they create, change, read and upload to their own contracts, and to a shared one. */
import { hash, randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { simplePdf } from "../corpus/pdf.ts";
import { inJson } from "../documents.ts";
import type { Reply } from "../fixtures.ts";
import { ask, insist } from "./ask.ts";
import type { Cluster } from "./cluster.ts";
import type { History } from "./history.ts";

export interface Contract {
  id: string;
  /** The key with which it was created, which is part of its title. */
  key: string;
}

/** A title that contains the creation's key, the value, and the write that set it. */
const titleOf = (key: string, value: number, write: string) => `${key} #${value} ${write}`;

export function readTitle(title: string): { key: string; value: number; write: string } {
  const [key = "", value, write = ""] = title.split(/ #| /);
  return { key, value: Number(value), write };
}

/** After this time the error may be gone. */
const betweenMistakesMs = 1000;
const mostMistakes = 3;

/** More often than other writes ever interfere. */
const mostTries = 50;

export type Api = ReturnType<typeof apiOf>;

/** What clients do. Each action is repeated until it is decided, and every response is recorded in the history. */
export function apiOf(
  { url, key: apiKey, ownerId }: Pick<Cluster, "url" | "key" | "ownerId">,
  history: History,
) {
  const call = (request: string, body?: object, headers: Record<string, string> = {}): Promise<Reply> => {
    const [method, path] = request.split(" ");
    return insist(history, request, () =>
      ask(`${url}/api/v1${path}`, {
        method: method!,
        headers: { "x-api-key": apiKey, "content-type": "application/json", ...headers },
        ...(body ? { body: JSON.stringify(body) } : {}),
      }),
    );
  };
  const expectStatus = (status: number, what: string, reply: Reply) => {
    if (reply.status !== status)
      history.add({ what: "wronged", says: `${what}: ${reply.status} ${reply.text}` });
    return reply.status === status;
  };
  return {
    /** Some send the same request twice, at the same moment or later. */
    async create(random = () => 1): Promise<Contract> {
      const key = randomUUID();
      const body = { title: titleOf(key, 0, "creation"), type: "NDA", ourRole: "VENDOR", ownerId };
      const send = async (): Promise<Contract> => {
        for (let mistakes = 0; mistakes < mostMistakes; mistakes++) {
          const reply = await call("POST /contracts", body, { "idempotency-key": key });
          if (expectStatus(201, "a creation", reply)) {
            const { id } = reply.body.contract;
            history.add({ what: "created", contract: id, key });
            return { id, key };
          }
          await pause(betweenMistakesMs);
        }
        throw new Error(`The creation ${key} is answered wrongly again and again.`);
      };
      const [created] = await Promise.all(random() < 0.2 ? [send(), send()] : [send()]);
      return random() < 0.2 ? send() : created!;
    },
    async read({ id }: Contract): Promise<{ etag: string; value: number; write: string } | null> {
      const after = history.told.length;
      const reply = await call(`GET /contracts/${id}`);
      if (reply.status !== 404 && !expectStatus(200, "a read", reply)) return null;
      const found = reply.status === 200 ? readTitle(reply.body.contract.title) : null;
      history.add({ what: "read", contract: id, value: found?.value ?? null, after });
      return found && { etag: reply.headers.get("etag") ?? "", ...found };
    },
    /** Sets the value that follows the current one. If another write came between, reads again. */
    async write(contract: Contract): Promise<void> {
      const { id, key } = contract;
      const write = randomUUID();
      for (let tries = 0; tries < mostTries; tries++) {
        const before = await this.read(contract);
        if (!before) return;
        // The write took effect, but its response was lost.
        if (before.write === write)
          return history.add({ what: "written", contract: id, value: before.value, write });
        const value = before.value + 1;
        history.add({ what: "writing", contract: id, value, write });
        const title = titleOf(key, value, write);
        const reply = await call(`PATCH /contracts/${id}`, { title }, { "if-match": before.etag });
        if (reply.status === 412) continue;
        if (expectStatus(200, "a change", reply))
          history.add({ what: "written", contract: id, value, write });
        return;
      }
      history.add({ what: "wronged", says: `What is read of ${id} is refused again and again.` });
    },
    /** No two uploads to a contract have the same bytes. */
    async upload({ id }: Contract, bytes = simplePdf(randomUUID())): Promise<void> {
      const document = inJson({ fileName: "a.pdf", contentType: "application/pdf", bytes });
      const reply = await call(
        `POST /contracts/${id}/versions`,
        { document },
        { "idempotency-key": randomUUID() },
      );
      if (!expectStatus(201, "an upload", reply)) return;
      const sha256 = hash("sha256", bytes);
      history.add({ what: "uploaded", contract: id, version: reply.body.version.id, sha256 });
    },
    call,
  };
}

export interface Running {
  /** Stops after the current step. */
  stop(): Promise<void>;
}

/** Repeats a step until stopped, with random pauses of up to longestPauseMs. */
export function keepDoing(step: () => Promise<void>, random: () => number, longestPauseMs: number): Running {
  let isOver = false;
  const running = (async () => {
    while (!isOver) {
      await step();
      await pause(random() * longestPauseMs);
    }
  })();
  // The error is thrown to whoever calls stop().
  running.catch(() => undefined);
  return {
    stop() {
      isOver = true;
      return running;
    },
  };
}

const mostInHand = 5;

/** One client, which chooses its actions at random. */
export function startClient(api: Api, random: () => number): Running {
  const contracts: Contract[] = [];
  const any = () => contracts[Math.floor(random() * contracts.length)]!;
  return keepDoing(
    async () => {
      const what = random();
      if (contracts.length === 0 || what < 0.25) {
        contracts.push(await api.create(random));
        await api.read(contracts.at(-1)!);
        if (contracts.length > mostInHand) contracts.shift();
      } else if (what < 0.65) {
        const contract = any();
        await api.write(contract);
        await api.read(contract);
      } else if (what < 0.9) await api.read(any());
      else await api.upload(any());
    },
    random,
    400,
  );
}

/** Two clients that change the same contract, each based on what it has read. */
export async function startSharing(api: Api, random: () => number): Promise<Running> {
  const contract = await api.create();
  const both = [1, 2].map(() => keepDoing(() => api.write(contract), random, 300));
  return { stop: async () => void (await Promise.all(both.map((one) => one.stop()))) };
}
