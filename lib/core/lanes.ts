/**
 * Schedules work on documents, which runs in separate processes. Each kind of work has its own lane, so that none can
 * block another; within a lane the shares (workspaces, signers, strangers' addresses) take turns, so that one share's
 * hundred documents do not hold up another's one.
 */
import { availableParallelism } from "node:os";
import { Refusal } from "#lib/core/errors.ts";
import { networkOf } from "#lib/core/network.ts";
import { observer } from "#lib/core/observer.ts";

interface Rules {
  /** How many run at once, and how many of these may belong to one share. */
  atOnce: number;
  ofShare: number;
  /** How many may wait, in all and per share; any more are told to come back later. */
  waiting?: { inAll: number; ofShare: number };
  /** The niceness of the lane's processes; the server itself has 0. */
  niceness: number;
}

const processors = Math.max(2, availableParallelism());

const rules = {
  /** Everyone who has signed waits for this: it takes priority over all else. */
  sealing: { atOnce: 2, ofShare: 1, niceness: 0 },
  /** Files that a request sends or names. One slot is always left for another workspace. */
  requests: {
    atOnce: processors,
    ofShare: processors - 1,
    waiting: { inAll: 400, ofShare: 100 },
    niceness: 3,
  },
  /** Versions that a member compares: up to half a minute of work. */
  comparisons: { atOnce: 1, ofShare: 1, waiting: { inAll: 40, ofShare: 4 }, niceness: 5 },
  /** Images of signatures, a tenth of a second each. */
  images: { atOnce: 1, ofShare: 1, waiting: { inAll: 100, ofShare: 2 }, niceness: 3 },
  /** Signers' texts typeset for their page, up to a fifth of a second each: a page requests many at once. */
  outlines: { atOnce: 1, ofShare: 1, waiting: { inAll: 400, ofShare: 100 }, niceness: 0 },
  /** Incoming uploads from strangers: this bounds the disk space they use. */
  arrivals: { atOnce: 32, ofShare: 8, waiting: { inAll: 0, ofShare: 0 }, niceness: 0 },
  /** Files that strangers submit for verification, up to three seconds of work: nobody waits for half a minute. */
  verification: { atOnce: 1, ofShare: 1, waiting: { inAll: 8, ofShare: 3 }, niceness: 5 },
  /** Stored documents read by jobs. The jobs themselves wait in the database. */
  background: { atOnce: 1, ofShare: 1, niceness: 5 },
  /** Thumbnails of first pages, half a second each: someone is looking at the placeholder. */
  previews: { atOnce: 1, ofShare: 1, niceness: 5 },
  /**
   * Requests with an Idempotency-Key that wait for other lanes: each holds one of DATABASE_POOL's connections until it
   * ends, and all requests need those.
   */
  keyed: { atOnce: 3, ofShare: 2, waiting: { inAll: 400, ofShare: 100 }, niceness: 0 },
  /** The one LibreOffice. At niceness 10 it hardly starts on a busy machine. */
  rendering: { atOnce: 1, ofShare: 1, waiting: { inAll: 100, ofShare: 10 }, niceness: 5 },
} satisfies Record<string, Rules>;

export type Lane = keyof typeof rules;

export const nicenessOf = (lane: Lane): number => rules[lane].niceness;

/** On whose account work is done, and when it can be abandoned. */
export interface Turn {
  /** Whose share it counts against: the id of a workspace or a signer, or a stranger's address. */
  share: string;
  /** Aborted when the result is no longer needed: the work leaves the lane or is ended. */
  signal?: AbortSignal | undefined;
}

/** The turn for a context's workspace. */
export function turnOf(ctx: { organizationId: string; gone?: (() => AbortSignal) | undefined }): Turn {
  return { share: ctx.organizationId, signal: ctx.gone?.() };
}

/** A stranger's share: all callers from the same network. */
export const visitorShare = ({ ip }: { ip: string | null }): string => `visitor ${networkOf(ip)}`;

/** For work abandoned because the caller disconnected. Nobody sees it. */
export const callerDisconnected = () =>
  new Refusal("unavailable", "The connection was closed before the answer was ready.");

/** For a caller who could not be served soon enough. */
export const serverBusy = () =>
  new Refusal("unavailable", "The server is busy. Try again in a few seconds.", {
    headers: { "retry-after": "5" },
  });

class Queue {
  readonly #rules: Rules;
  readonly #running = new Map<string, number>();
  /** By share, the next one to run first. */
  readonly #waiting = new Map<string, (() => void)[]>();

  constructor(rules: Rules) {
    this.#rules = rules;
  }

  refuseFull(share: string): void {
    const { inAll, ofShare } = this.#rules.waiting ?? { inAll: Infinity, ofShare: Infinity };
    if (this.#hasRoom(share)) return;
    const waiting = [...this.#waiting.values()].reduce((sum, line) => sum + line.length, 0);
    if (waiting >= inAll || (this.#waiting.get(share)?.length ?? 0) >= ofShare) throw serverBusy();
  }

  async enter({ share, signal }: Turn): Promise<void> {
    if (signal?.aborted) throw callerDisconnected();
    this.refuseFull(share);
    if (this.#hasRoom(share)) return this.#begin(share);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#waiting.set(share, [...(this.#waiting.get(share) ?? []), resolve]);
    const giveUp = () => {
      if (this.#withdraw(share, resolve)) reject(callerDisconnected());
    };
    signal?.addEventListener("abort", giveUp, { once: true });
    await promise.finally(() => signal?.removeEventListener("abort", giveUp));
  }

  leave(share: string): void {
    const left = (this.#running.get(share) ?? 0) - 1;
    if (left > 0) this.#running.set(share, left);
    else this.#running.delete(share);
    for (const [next, [first]] of this.#waiting) {
      if (!first || !this.#hasRoom(next)) continue;
      this.#withdraw(next, first);
      this.#moveBack(next);
      this.#begin(next);
      first();
      return;
    }
  }

  #hasRoom(share: string): boolean {
    const running = [...this.#running.values()].reduce((sum, count) => sum + count, 0);
    return running < this.#rules.atOnce && (this.#running.get(share) ?? 0) < this.#rules.ofShare;
  }

  #begin(share: string): void {
    this.#running.set(share, (this.#running.get(share) ?? 0) + 1);
  }

  /** Removes a waiting entry; returns whether it was waiting. */
  #withdraw(share: string, who: () => void): boolean {
    const line = this.#waiting.get(share) ?? [];
    const rest = line.filter((one) => one !== who);
    if (rest.length > 0) this.#waiting.set(share, rest);
    else this.#waiting.delete(share);
    return rest.length < line.length;
  }

  #moveBack(share: string): void {
    const line = this.#waiting.get(share);
    if (!line) return;
    this.#waiting.delete(share);
    this.#waiting.set(share, line);
  }
}

const queues = Object.fromEntries(
  Object.entries(rules).map(([name, one]) => [name, new Queue(one)]),
) as Record<Lane, Queue>;

/** Throws a 503 if the lane is full, before a file is read for nothing. */
export function refuseIfFull(lane: Lane, { share }: Turn): void {
  queues[lane].refuseFull(share);
}

/** Runs `work` when its turn comes. Throws a 503 if too many wait, and also if the caller disconnects. */
export async function runInLane<T>(lane: Lane, turn: Turn, work: () => Promise<T>): Promise<T> {
  observer()?.documentAwaited(lane);
  const queue = queues[lane];
  await queue.enter(turn);
  try {
    return await work();
  } finally {
    queue.leave(turn.share);
  }
}
