/**
 * Sends what is due. The delivery's row is its own job: it is written in the change's transaction, found by an
 * index on (endpoint, due), claimed in a worker's name, and free again when that worker is gone (presence.ts).
 *
 * Not graphile-worker: it can hold an endpoint back only by named queues, which run one job at a time, which
 * every search for a job has to lock, and whose waiting jobs it has to read past. One endpoint that hangs
 * would slow all others. Here each endpoint has its own part of the index and a number of attempts that may
 * be running; it waits for its own attempts only.
 */
import { log } from "#lib/log.ts";
import { attempt } from "./attempt.ts";
import { claimDue, findDue, unclaim, unclaimAllBut } from "./claims.ts";
import { type Claim, giveUp, settle } from "./outcome.ts";

/** Attempts that may be running in this worker: of one endpoint, and (about) of all. */
const mostOfOne = 8;
const mostOfAll = 400;

const pollMs = 2000;

/** At a stop, running attempts have this long to finish. */
const graceMs = 5000;

const endpointOf = ({ organizationId, endpointId }: Claim) => `${organizationId} ${endpointId}`;

/** Sends, under a worker's name that presence.ts vouches for. An endpoint is `<organization id> <endpoint id>`. */
export class Dispatcher {
  readonly #worker: string;
  readonly #attempts = new Map<string, Promise<void>>();
  readonly #running = new Map<string, number>();
  /** Endpoints to look at, and those to look at again when there is room. */
  readonly #awake = new Set<string>();
  readonly #crowded = new Set<string>();
  readonly #stopping = new AbortController();
  #looking: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;
  /** The database may have claims in this worker's name that the worker does not know. */
  #doubtful = false;

  constructor(worker: string) {
    this.#worker = worker;
  }

  start(): void {
    const poll = () =>
      this.#poll().catch((error) => log().warn({ error: error.message }, "due deliveries not found"));
    this.#timer = setInterval(poll, pollMs);
    poll();
  }

  /** Lets running attempts finish. Those that take too long are given back, to be made again. */
  async stop(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#timer);
    await this.#looking;
    const grace = setTimeout(() => this.#stopping.abort(new Error("stopping")), graceMs);
    await Promise.all(this.#attempts.values());
    clearTimeout(grace);
  }

  /** Something is due for this endpoint. */
  wake(endpoint: string): void {
    if (this.#closed) return;
    this.#awake.add(endpoint);
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
      // Whoever woke another one meanwhile found this look still going on.
      for (const next of this.#awake) this.wake(next);
    });
  }

  #wakeIn(endpoint: string, ms: number): void {
    // The database's clock has to have passed the moment, not only reached it.
    setTimeout(() => this.wake(endpoint), ms + 5).unref();
  }

  /** What nobody told of: retries that come due, and what others left. */
  async #poll(): Promise<void> {
    for (const { endpoint, inMs } of await findDue(pollMs)) {
      if (inMs <= 0) this.wake(endpoint);
      else this.#wakeIn(endpoint, inMs);
    }
  }

  async #look(): Promise<void> {
    try {
      if (this.#doubtful) await unclaimAllBut(this.#worker, [...this.#attempts.keys()]);
      this.#doubtful = false;
      while (this.#awake.size > 0 && !this.#closed) await this.#begin();
    } catch (error) {
      // What is due stays due: the next poll finds it.
      this.#awake.clear();
      this.#doubtful = true;
      log().warn({ error: (error as Error).message }, "deliveries not claimed");
    }
  }

  async #begin(): Promise<void> {
    const wanted = [...this.#awake].map((endpoint) => ({ endpoint, free: this.#freeOf(endpoint) }));
    this.#awake.clear();
    const open = wanted.filter(({ free }) => free > 0);
    const claims = open.length > 0 ? await claimDue(this.#worker, open) : [];
    for (const claim of claims) this.#run(claim);
    const claimed = Map.groupBy(claims, endpointOf);
    for (const { endpoint, free } of wanted) {
      // Fewer than there was room for: nothing more is due.
      if ((claimed.get(endpoint)?.length ?? 0) < free) continue;
      if (this.#freeOf(endpoint) > 0) this.#awake.add(endpoint);
      else this.#crowded.add(endpoint);
    }
  }

  #freeOf(endpoint: string): number {
    return Math.min(mostOfOne - (this.#running.get(endpoint) ?? 0), mostOfAll - this.#attempts.size);
  }

  #run(claim: Claim): void {
    const endpoint = endpointOf(claim);
    this.#running.set(endpoint, (this.#running.get(endpoint) ?? 0) + 1);
    const ended = this.#deliver(claim, endpoint).then(() => this.#ended(claim.id, endpoint));
    this.#attempts.set(claim.id, ended);
  }

  async #deliver(claim: Claim, endpoint: string): Promise<void> {
    try {
      if (claim.endpointStatus !== "ENABLED") return await giveUp(this.#worker, claim);
      const result = await attempt(claim, this.#stopping.signal);
      const delay = await settle(this.#worker, claim, result);
      // By polling alone it would be found, but late.
      if (delay !== null && delay * 1000 < pollMs) this.#wakeIn(endpoint, delay * 1000);
    } catch (error) {
      if (!this.#stopping.signal.aborted) {
        log().error({ deliveryId: claim.id, error: (error as Error).stack }, "delivery broke off");
      }
      await unclaim(this.#worker, claim).catch(() => {
        this.#doubtful = true;
      });
    }
  }

  #ended(id: string, endpoint: string): void {
    const wasFull = this.#attempts.size >= mostOfAll;
    this.#attempts.delete(id);
    const left = (this.#running.get(endpoint) ?? 1) - 1;
    if (left > 0) this.#running.set(endpoint, left);
    else this.#running.delete(endpoint);
    for (const other of wasFull ? this.#crowded : [endpoint]) {
      if (this.#crowded.delete(other)) this.wake(other);
    }
  }
}
