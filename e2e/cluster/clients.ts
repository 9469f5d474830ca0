/** Programs with an API key: each creates contracts, changes, reads and uploads to its own, one thing after the other. */
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
  /** The key that it was created with, which its title carries. */
  key: string;
  /** The newest value that was sent. */
  value: number;
}

/** A title that carries which creation it is of, and which value is in it. */
const titleOf = (key: string, value: number) => `${key} #${value}`;

export function readTitle(title: string): { key: string; value: number } {
  const [key = "", value] = title.split(" #");
  return { key, value: Number(value) };
}

export type Api = ReturnType<typeof apiOf>;

/** What clients do, each act until it is decided, and all that they are told in the history. */
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
    /** Some send the same twice. */
    async create(random = () => 1): Promise<Contract> {
      const key = randomUUID();
      const body = { title: titleOf(key, 0), type: "NDA", ourRole: "VENDOR", ownerId };
      for (let isAgain = false; ; ) {
        const reply = await call("POST /contracts", body, { "idempotency-key": key });
        if (!expectStatus(201, "a creation", reply)) continue;
        const { id } = reply.body.contract;
        history.add({ what: "created", contract: id, key });
        if (isAgain || random() > 0.2) return { id, key, value: 0 };
        isAgain = true;
      }
    },
    /** Answers the ETag. */
    async read({ id }: Contract): Promise<string | null> {
      const reply = await call(`GET /contracts/${id}`);
      const title = reply.status === 200 ? reply.body.contract.title : null;
      history.add({ what: "read", contract: id, value: title === null ? null : readTitle(title).value });
      return reply.headers.get("etag");
    },
    /** Gives it its next value. Where another's write came between, which can only be an own one, it reads first. */
    async write(contract: Contract): Promise<void> {
      const { id, key } = contract;
      contract.value += 1;
      const { value } = contract;
      history.add({ what: "writing", contract: id, value });
      for (;;) {
        const etag = await this.read(contract);
        if (!etag) return;
        const reply = await call(
          `PATCH /contracts/${id}`,
          { title: titleOf(key, value) },
          { "if-match": etag },
        );
        if (reply.status === 412) continue;
        if (expectStatus(200, "a change", reply)) history.add({ what: "written", contract: id, value });
        return;
      }
    },
    async upload({ id }: Contract, bytes = simplePdf(randomUUID())): Promise<void> {
      const key = randomUUID();
      const document = inJson({ fileName: "a.pdf", contentType: "application/pdf", bytes });
      const reply = await call(`POST /contracts/${id}/versions`, { document }, { "idempotency-key": key });
      if (!expectStatus(201, "an upload", reply)) return;
      const sha256 = hash("sha256", bytes);
      history.add({ what: "uploaded", contract: id, version: reply.body.version.id, sha256, key });
    },
    call,
  };
}

export interface Running {
  /** Ends after what it is at. */
  stop(): Promise<void>;
}

/** Repeats a step until it is told to stop, with pauses of up to so long. */
export function keepDoing(step: () => Promise<void>, random: () => number, longestPauseMs: number): Running {
  let isOver = false;
  const running = (async () => {
    while (!isOver) {
      await step();
      await pause(random() * longestPauseMs);
    }
  })();
  // It is told when it is waited for.
  running.catch(() => undefined);
  return {
    stop() {
      isOver = true;
      return running;
    },
  };
}

const mostInHand = 5;

/** One client, which does by chance what clients do. */
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
