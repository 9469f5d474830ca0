/**
 * Sends requests at times set in advance, however long the responses take, like people and programs that do not know of
 * each other. A response time counts from when its request was due. So a server that stalls delays every request that
 * is due meanwhile, and the client's own delay counts as well.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { Pool } from "undici";
import { randomNumbers } from "#e2e/random.ts";
import { percentiles } from "./percentiles.ts";

export interface Asked {
  /** The name under which it is counted. */
  kind: string;
  method: "GET" | "POST" | "PATCH";
  path: string;
  headers: Record<string, string>;
  body?: string | Buffer;
  /** The expected status; any other counts as a failure. */
  status: number;
}

export interface Plan {
  perSecond: number;
  requests: number;
  next(): Asked;
  /** Stops early once more than one in a hundred requests failed or took longer than this. */
  hopelessAboveMs?: number;
}

export interface Outcome {
  requests: number;
  seconds: number;
  /** Durations of successful responses, in milliseconds since each request was due. */
  times: Map<string, number[]>;
  /** By kind and status or error code ("write: 503", "page: ECONNRESET"): the count, and details of the first. */
  failures: Map<string, { count: number; first: string }>;
}

/** Concurrent connections, as from a balancer or browsers. Time spent waiting for a free one counts. */
const connections = 256;
const patienceMs = 30_000;

/** Sends every request once, without retries. Resolves when the last response has arrived. */
export async function sendAll(origin: string, plan: Plan): Promise<Outcome> {
  // Closes idle connections well before the balancer does, so that no request meets a closing connection.
  const limits = { keepAliveTimeout: 10_000, headersTimeout: patienceMs, bodyTimeout: patienceMs };
  const pool = new Pool(origin, { ...limits, connections, connectTimeout: patienceMs });
  const random = randomNumbers("arrivals");
  const times = new Map<string, number[]>();
  const failures: Outcome["failures"] = new Map();
  const maxLate = plan.hopelessAboveMs === undefined ? Infinity : plan.requests / 100;
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
  for (let dueAt = began; running.length < plan.requests && late <= maxLate; ) {
    // Independent arrivals (a Poisson process): sometimes three at once, sometimes none for a while.
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

/** Returns the status once the whole response has arrived, or the error's code. */
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

/** Summarizes one kind, or all kinds together. */
export function summaryOf({ times, failures }: Outcome, kind?: string): Summary {
  const all = [...times].flatMap(([name, some]) => (kind === undefined || name === kind ? some : []));
  const failed = [...failures].filter(([name]) => kind === undefined || name.startsWith(`${kind}:`));
  return { ...percentiles(all), failed: failed.reduce((sum, [, { count }]) => sum + count, 0) };
}
