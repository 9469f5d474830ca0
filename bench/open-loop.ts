/**
 * Requests at moments that are set before, whatever the answers take, as people and programs send them who do not know of
 * each other. An answer's time counts from the moment its request was due, so a server that stops makes all wait that come
 * meanwhile; the client's own delay counts, too.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { Pool } from "undici";
import { randomNumbers } from "#e2e/random.ts";
import { percentiles } from "./percentiles.ts";

export interface Asked {
  /** What it is counted as. */
  kind: string;
  method: "GET" | "POST" | "PATCH";
  path: string;
  headers: Record<string, string>;
  body?: string | Buffer;
  /** Any other answer is a failure. */
  status: number;
}

export interface Plan {
  perSecond: number;
  requests: number;
  next(): Asked;
  /** Ends it early where more than one in a hundred must be slower than this. */
  hopelessAboveMs?: number;
}

export interface Outcome {
  requests: number;
  seconds: number;
  /** Answers as they should be, in milliseconds since they were due. */
  times: Map<string, number[]>;
  /** By what they are ("write: 503", "page: ECONNRESET"): how often it came, and the first one's words. */
  failures: Map<string, { count: number; first: string }>;
}

/** Connections at once, as a balancer or browsers would have: what waits for one is late, and counted so. */
const connections = 256;
const patienceMs = 30_000;

/** Sends everything once, and nothing again; answers when the last answer is there. */
export async function sendAll(origin: string, plan: Plan): Promise<Outcome> {
  // Given up well before the balancer does: no request meets the end of its connection.
  const limits = { keepAliveTimeout: 10_000, headersTimeout: patienceMs, bodyTimeout: patienceMs };
  const pool = new Pool(origin, { ...limits, connections, connectTimeout: patienceMs });
  const random = randomNumbers("arrivals");
  const times = new Map<string, number[]>();
  const failures: Outcome["failures"] = new Map();
  const mostLate = plan.hopelessAboveMs === undefined ? Infinity : plan.requests / 100;
  let late = 0;
  const one = async (asked: Asked, dueAt: number) => {
    const { status, words } = await answerTo(pool, asked);
    const tookMs = performance.now() - dueAt;
    const isWrong = status !== asked.status;
    if (isWrong || tookMs > (plan.hopelessAboveMs ?? Infinity)) late += 1;
    if (isWrong) {
      const failure = `${asked.kind}: ${status}`;
      const { count, first } = failures.get(failure) ?? {
        count: 0,
        first: `${words()} (after ${tookMs.toFixed(0)} ms)`,
      };
      failures.set(failure, { count: count + 1, first });
    } else if (!times.get(asked.kind)?.push(tookMs)) times.set(asked.kind, [tookMs]);
  };
  const running: Promise<void>[] = [];
  const began = performance.now();
  for (let dueAt = began; running.length < plan.requests && late <= mostLate; ) {
    // Arrivals of many who do not know of each other: now three at once, now none for a while.
    dueAt += (-Math.log(1 - random()) * 1000) / plan.perSecond;
    const early = dueAt - performance.now();
    if (early > 0) await sleep(Math.ceil(early));
    else if (running.length % 16 === 0) await new Promise(setImmediate);
    running.push(one(plan.next(), dueAt));
  }
  await Promise.all(running);
  const seconds = (performance.now() - began) / 1000;
  await pool.close();
  return { requests: running.length, seconds, times, failures };
}

/** The answer's status once all of it is there, or the code of the error. */
async function answerTo(pool: Pool, { method, path, headers, body }: Asked) {
  try {
    const reply = await pool.request({ method, path, headers, body: body ?? null });
    const bytes = await reply.body.bytes();
    const words = () => `${method} ${path}: ${Buffer.from(bytes).toString("utf8", 0, 300)}`;
    return { status: reply.statusCode, words };
  } catch (error) {
    const status = error instanceof Error && "code" in error ? String(error.code) : "error";
    return { status, words: () => `${method} ${path}: ${error}` };
  }
}

export interface Summary {
  p50Ms: number;
  p95Ms: number;
  p99Ms: number;
  failed: number;
}

/** Of all kinds together, or of one. */
export function summaryOf({ times, failures }: Outcome, kind?: string): Summary {
  const all = [...times].flatMap(([name, some]) => (kind === undefined || name === kind ? some : []));
  const failed = [...failures].filter(([name]) => kind === undefined || name.startsWith(`${kind}:`));
  return { ...percentiles(all), failed: failed.reduce((sum, [, { count }]) => sum + count, 0) };
}
