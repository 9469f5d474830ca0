/**
 * Sends due deliveries. The delivery's row is its own job: it is written in the change's transaction, found by an
 * index on (endpoint, due), claimed in a worker's name, and free again when that worker is gone (presence.ts).
 * Not graphile-worker: it limits an endpoint only by named queues, which run one job at a time, which every search for
 * a job has to lock, and whose waiting jobs it has to skip: one hanging endpoint would slow all others. Here each
 * endpoint has its own part of the index and its own limit of running attempts, so it waits only for its own attempts.
 */
import { outageOf } from "#lib/core/connections/outage.ts";
import { log } from "#lib/core/log.ts";
import { attempt, type Result } from "./attempt.ts";
import { claimDue, findDue, releaseUnknownClaims, unclaim } from "./claims.ts";
import { type Claim, endpointOf, giveUp } from "./outcome.ts";
import { Settler } from "./settle.ts";
import { fastAttemptMs, Slots } from "./slots.ts";

/** The most open claims of this worker: waiting for a slot, running, or waiting until their outcome is written. */
const maxOpenClaims = 2000;

const pollMs = 2000;

/** How long running attempts have to finish when the dispatcher stops. */
const graceMs = 5000;

/** Sends in a worker's name that presence.ts vouches for. An endpoint is `<organization id> <endpoint id>`. */
export class Dispatcher {
  readonly #worker: string;
  readonly #settler: Settler;
  readonly #slots = new Slots();
  /** The ids of claimed deliveries, until they are settled. */
  readonly #open = new Set<string>();
  readonly #waiting = new Map<string, Claim[]>();
  /** Endpoints to claim for now (#awake), and those to claim for again when they have room (#crowded). */
  readonly #awake = new Set<string>();
  readonly #crowded = new Set<string>();
  /** The work that stop() waits for. */
  readonly #work = new Set<Promise<void>>();
  readonly #stopping = new AbortController();
  #claiming: Promise<void> | undefined;
  #isClaimRequested = false;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;
  /** Whether the database may hold claims of this worker that the worker does not know of. */
  #mayHaveLostClaims = false;

  constructor(worker: string) {
    this.#worker = worker;
    this.#settler = new Settler(worker);
  }

  start(): void {
    const poll = () =>
      this.#poll().catch((error) =>
        log().warn({ error: error.message }, "due deliveries could not be queried"),
      );
    this.#timer = setInterval(poll, pollMs);
    poll();
  }

  /** Lets running attempts finish. Aborts those that take too long and releases their claims, to be sent again. */
  async stop(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#timer);
    await this.#claiming;
    for (const endpoint of this.#waiting.keys()) this.#giveBackWaiting(endpoint);
    const grace = setTimeout(() => this.#stopping.abort(new Error("stopping")), graceMs);
    while (this.#work.size > 0) await Promise.all(this.#work);
    clearTimeout(grace);
  }

  /** Call this when a delivery is due for this endpoint. */
  wake(endpoint: string): void {
    this.#awake.add(endpoint);
    this.#requestClaim();
  }

  #wakeIn(endpoint: string, ms: number): void {
    // A timer may fire slightly early, but the delivery must be due when it is claimed.
    setTimeout(() => this.wake(endpoint), ms + 5).unref();
  }

  /** Finds deliveries without a notification: retries that become due, and those that other workers left behind. */
  async #poll(): Promise<void> {
    // findDue() skips claimed deliveries, so it does not find claims that this worker does not know of.
    if (this.#mayHaveLostClaims) this.#requestClaim();
    for (const { endpoint, inMs } of await findDue(pollMs)) {
      if (inMs <= 0) this.wake(endpoint);
      else this.#wakeIn(endpoint, inMs);
    }
  }

  /** Claims what is due and fits. If that is running already, it runs once more afterwards. */
  #requestClaim(): void {
    this.#isClaimRequested = true;
    if (!this.#closed) this.#claiming ??= this.#claimUntilDone();
  }

  async #claimUntilDone(): Promise<void> {
    while (this.#isClaimRequested) {
      this.#isClaimRequested = false;
      // Combines all wake-ups of the same turn of the event loop.
      await new Promise(setImmediate);
      await this.#claimAll();
    }
    this.#claiming = undefined;
  }

  async #claimAll(): Promise<void> {
    try {
      if (this.#mayHaveLostClaims) await releaseUnknownClaims(this.#worker, [...this.#open]);
      this.#mayHaveLostClaims = false;
      while (this.#canClaim()) await this.#claimAndSend();
    } catch (error) {
      // The deliveries stay due, so the next poll finds them.
      this.#awake.clear();
      this.#crowded.clear();
      this.#mayHaveLostClaims = true;
      log().warn({ error: (error as Error).message }, "deliveries could not be claimed");
    }
  }

  #canClaim(): boolean {
    if (this.#closed || this.#open.size >= maxOpenClaims) return false;
    for (const endpoint of this.#crowded) {
      const isRunningOut = this.#waitingOf(endpoint) < this.#slots.maxQueued(endpoint) / 2;
      if (!isRunningOut && this.#slots.free(endpoint) === 0) continue;
      this.#crowded.delete(endpoint);
      this.#awake.add(endpoint);
    }
    return this.#awake.size > 0;
  }

  #waitingOf(endpoint: string): number {
    return this.#waiting.get(endpoint)?.length ?? 0;
  }

  /** Claims deliveries for all awake endpoints, one workspace after the other, and starts sending them. */
  async #claimAndSend(): Promise<void> {
    const rooms = [...this.#awake].map((endpoint) => {
      const slots = this.#slots.take(endpoint);
      const ahead = Math.max(0, this.#slots.maxQueued(endpoint) - this.#waitingOf(endpoint));
      return { endpoint, slots, free: slots + ahead };
    });
    this.#awake.clear();
    const claims = await this.#claim(rooms);
    for (const { id } of claims) this.#open.add(id);
    const claimed = Map.groupBy(claims, endpointOf);
    for (const { endpoint, slots, free } of rooms) {
      const got = claimed.get(endpoint) ?? [];
      this.#send(endpoint, got, slots);
      // If it got fewer than it had room for, nothing more is due.
      if (got.length === free) this.#crowded.add(endpoint);
    }
  }

  /** Starts as many attempts as fit in these slots and in those that became free during the claim. */
  #send(endpoint: string, claims: Claim[], slots: number): void {
    const waiting = [...(this.#waiting.get(endpoint) ?? []), ...claims];
    if (waiting.length > 0) this.#waiting.set(endpoint, waiting);
    const taken = slots + this.#slots.take(endpoint);
    const begun = Math.min(taken, waiting.length);
    this.#slots.release(endpoint, taken - begun);
    for (let nth = 0; nth < begun; nth++) this.#track(this.#sendWaiting(endpoint));
    // Either no running attempt would take them over, or the endpoint has become slow in the meantime.
    if (this.#slots.maxQueued(endpoint) === 0) this.#giveBackWaiting(endpoint);
  }

  async #claim(rooms: { endpoint: string; slots: number; free: number }[]): Promise<Claim[]> {
    const wanted = rooms.filter(({ free }) => free > 0);
    try {
      return wanted.length > 0 ? await claimDue(this.#worker, wanted) : [];
    } catch (error) {
      for (const { endpoint, slots } of rooms) this.#slots.release(endpoint, slots);
      throw error;
    }
  }

  #track(work: Promise<void>): void {
    this.#work.add(work);
    work.finally(() => {
      this.#work.delete(work);
      this.#requestClaim();
    });
  }

  /** Sends waiting claims in one slot until none is left. Does not wait for their outcomes to be settled. */
  async #sendWaiting(endpoint: string): Promise<void> {
    for (let claim = this.#next(endpoint); claim; claim = this.#next(endpoint)) {
      const attempted = this.#attempt(claim, endpoint);
      this.#track(this.#settle(claim, endpoint, attempted));
      await attempted.catch(() => undefined);
      if (this.#crowded.has(endpoint)) this.#requestClaim();
    }
    this.#slots.release(endpoint, 1);
  }

  #next(endpoint: string): Claim | undefined {
    const waiting = this.#waiting.get(endpoint);
    const next = waiting?.shift();
    if (waiting?.length === 0) this.#waiting.delete(endpoint);
    return next;
  }

  /** Resolves to null if the endpoint is disabled. */
  async #attempt(claim: Claim, endpoint: string): Promise<Result | null> {
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      this.#slots.markLate(endpoint);
      this.#giveBackWaiting(endpoint);
    }, fastAttemptMs);
    try {
      return claim.endpointStatus === "ENABLED" ? await attempt(claim, this.#stopping.signal) : null;
    } finally {
      clearTimeout(timer);
      this.#slots.markEnded(endpoint, isLate);
    }
  }

  async #settle(claim: Claim, endpoint: string, attempted: Promise<Result | null>): Promise<void> {
    try {
      const result = await attempted;
      if (!result) return await giveUp(this.#worker, claim);
      const delay = await this.#settler.settle(claim, result);
      // The next poll would find it too, but late.
      if (delay !== null && delay * 1000 < pollMs) this.#wakeIn(endpoint, delay * 1000);
    } catch (error) {
      if (!this.#stopping.signal.aborted) {
        const level = outageOf(error) ? "warn" : "error";
        log()[level]({ deliveryId: claim.id, error: (error as Error).stack }, "a delivery was interrupted");
      }
      await this.#unclaim(endpoint, [claim]);
    } finally {
      this.#open.delete(claim.id);
    }
  }

  /** Releases claims whose turn will not come soon, so that other workers can take them. */
  #giveBackWaiting(endpoint: string): void {
    const claims = this.#waiting.get(endpoint);
    if (!claims) return;
    this.#waiting.delete(endpoint);
    for (const { id } of claims) this.#open.delete(id);
    this.#crowded.add(endpoint);
    this.#track(this.#unclaim(endpoint, claims));
  }

  async #unclaim(endpoint: string, claims: Claim[]): Promise<void> {
    await unclaim(this.#worker, endpoint, claims).catch(() => {
      this.#mayHaveLostClaims = true;
    });
  }
}
