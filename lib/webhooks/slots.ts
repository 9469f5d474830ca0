/**
 * How many attempts may be running: of an endpoint, of a workspace, of all. Those of endpoints that are slow
 * to answer have slots of their own. So receivers that hang, however many there are, take none from those that
 * answer for longer than it takes to notice; and what one workspace can take leaves enough for the others.
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

/** Both together: endpoints that were brisk and then hang keep what they had, until it times out. */
const mostOfWorkspace = 200;

const aheadOfSlot = 3;

/** An attempt that runs longer makes its endpoint a slow one, until one ends sooner. */
export const briskMs = 1000;

interface Lane {
  running: number;
  /** How many of them run for longer than briskMs. */
  late: number;
  lastWasLate: boolean;
}

const paceOf = ({ late, lastWasLate }: Lane): Pace => (late > 0 || lastWasLate ? "slow" : "brisk");

/** An endpoint is `<organization id> <endpoint id>`. */
export class Slots {
  /** Endpoints of which something is running, and slow ones. */
  readonly #lanes = new Map<string, Lane>();
  /** What is running, by pace, and by pace and workspace. */
  readonly #taken = new Map<string, number>();

  /** How many attempts of this endpoint could begin now. */
  free(endpoint: string): number {
    const lane = this.#laneOf(endpoint);
    const pace = paceOf(lane);
    const { ofEndpoint, ofWorkspace, ofAll } = shares[pace];
    const taken = (which: Pace) => countersOf(which, endpoint).map((name) => this.#taken.get(name) ?? 0);
    const [all, ofItsPace] = taken(pace) as [number, number];
    const ofBoth = taken("brisk")[1]! + taken("slow")[1]!;
    const left = [ofEndpoint - lane.running, ofWorkspace - ofItsPace, ofAll - all, mostOfWorkspace - ofBoth];
    return Math.max(0, Math.min(...left));
  }

  /** Takes all that are free for this endpoint. */
  take(endpoint: string): number {
    const count = this.free(endpoint);
    this.#alter(endpoint, (lane) => (lane.running += count));
    return count;
  }

  /** Of a brisk endpoint, how many may wait here for its slots: so a claim is for several at once. */
  ahead(endpoint: string): number {
    const lane = this.#laneOf(endpoint);
    return paceOf(lane) === "brisk" ? aheadOfSlot * lane.running : 0;
  }

  /** Gives back what was taken and is not needed, or not any more. */
  giveBack(endpoint: string, count: number): void {
    this.#alter(endpoint, (lane) => (lane.running -= count));
  }

  /** An attempt has been running for briskMs. */
  late(endpoint: string): void {
    this.#alter(endpoint, (lane) => lane.late++);
  }

  /** An attempt has ended. Its slot is still taken. */
  ended(endpoint: string, wasLate: boolean): void {
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
