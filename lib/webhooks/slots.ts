/**
 * Limits how many attempts may run at once: per endpoint, per workspace and in total. Endpoints that respond slowly
 * have separate slots. So receivers that hang, however many, take slots from responsive ones only until they are
 * noticed, and the share of one workspace leaves enough for the others.
 */
interface Share {
  ofEndpoint: number;
  ofWorkspace: number;
  ofAll: number;
}

type Pace = "brisk" | "slow";

const shares: Record<Pace, Share> = {
  brisk: { ofEndpoint: 8, ofWorkspace: 100, ofAll: 400 },
  slow: { ofEndpoint: 4, ofWorkspace: 50, ofAll: 200 },
};

/** The limit for both paces together: endpoints that turn slow keep their slots until their attempts time out. */
const maxPerWorkspace = 200;

const queuedPerSlot = 3;

/** An attempt that runs longer makes its endpoint slow, until one ends sooner and none is late. */
export const fastAttemptMs = 1000;

interface Lane {
  running: number;
  /** How many of the running attempts have been running for longer than fastAttemptMs. */
  late: number;
  lastWasLate: boolean;
}

const paceOf = ({ late, lastWasLate }: Lane): Pace => (late > 0 || lastWasLate ? "slow" : "brisk");

/** An endpoint is `<organization id> <endpoint id>`. */
export class Slots {
  /** Endpoints with running attempts, and slow endpoints. */
  readonly #lanes = new Map<string, Lane>();
  /** The number of running attempts by pace, and by pace and workspace. */
  readonly #taken = new Map<string, number>();

  /** How many attempts of this endpoint could start now. */
  free(endpoint: string): number {
    const lane = this.#laneOf(endpoint);
    const pace = paceOf(lane);
    const { ofEndpoint, ofWorkspace, ofAll } = shares[pace];
    const taken = (which: Pace) => countersOf(which, endpoint).map((name) => this.#taken.get(name) ?? 0);
    const [all, ofItsPace] = taken(pace) as [number, number];
    const ofBoth = taken("brisk")[1]! + taken("slow")[1]!;
    const left = [ofEndpoint - lane.running, ofWorkspace - ofItsPace, ofAll - all, maxPerWorkspace - ofBoth];
    return Math.max(0, Math.min(...left));
  }

  /** Takes all free slots of this endpoint and returns their number. */
  take(endpoint: string): number {
    const count = this.free(endpoint);
    this.#alter(endpoint, (lane) => (lane.running += count));
    return count;
  }

  /** How many claims may wait for a brisk endpoint's slots, so that one statement claims several; 0 for a slow one. */
  maxQueued(endpoint: string): number {
    const lane = this.#laneOf(endpoint);
    return paceOf(lane) === "brisk" ? queuedPerSlot * lane.running : 0;
  }

  /** Gives back slots that are not needed, or no longer needed. */
  release(endpoint: string, count: number): void {
    this.#alter(endpoint, (lane) => (lane.running -= count));
  }

  /** Call this when an attempt has been running for fastAttemptMs. */
  markLate(endpoint: string): void {
    this.#alter(endpoint, (lane) => lane.late++);
  }

  /** Call this when an attempt has ended. Its slot stays taken. */
  markEnded(endpoint: string, wasLate: boolean): void {
    this.#alter(endpoint, (lane) => {
      if (wasLate) lane.late--;
      lane.lastWasLate = wasLate;
    });
  }

  #laneOf(endpoint: string): Lane {
    return this.#lanes.get(endpoint) ?? { running: 0, late: 0, lastWasLate: false };
  }

  #alter(endpoint: string, alter: (lane: Lane) => void): void {
    const lane = this.#laneOf(endpoint);
    this.#count(endpoint, lane, -1);
    alter(lane);
    this.#count(endpoint, lane, 1);
    if (lane.running > 0 || lane.lastWasLate) this.#lanes.set(endpoint, lane);
    else this.#lanes.delete(endpoint);
  }

  #count(endpoint: string, lane: Lane, sign: 1 | -1): void {
    for (const name of countersOf(paceOf(lane), endpoint)) {
      const count = (this.#taken.get(name) ?? 0) + sign * lane.running;
      if (count > 0) this.#taken.set(name, count);
      else this.#taken.delete(name);
    }
  }
}

const countersOf = (pace: Pace, endpoint: string) => [pace, `${pace} ${endpoint.split(" ")[0]}`];
