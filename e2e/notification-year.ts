/**
 * A year in a workspace: its members, their obligations and when they complete them; and what each of them must be
 * told, derived from the rules alone. e2e/live-a-year.ts runs it with the product's own functions and jobs.
 */
import { addDays, addMonths, type Day, dayOf, daysBetween, midnight, termEnd } from "#lib/core/dates.ts";
import { randomNumbers } from "./random.ts";

const firstDay: Day = "2027-01-01";
export const hours = 365 * 24;
const hourMs = 60 * 60 * 1000;
export const momentOf = (hour: number) => new Date(midnight(firstDay).getTime() + hour * hourMs);

/** Time zones that change their clocks on different days, by an hour or by half an hour, and zones that do not. */
export const people = [
  { name: "Olive", role: "owner", zone: "UTC", quiet: false },
  { name: "Ada", role: "admin", zone: "Pacific/Auckland", quiet: false },
  { name: "Berta", role: "member", zone: "Europe/Berlin", quiet: true },
  { name: "Nora", role: "member", zone: "America/New_York", quiet: false },
  { name: "Howe", role: "member", zone: "Australia/Lord_Howe", quiet: true },
  { name: "Kim", role: "member", zone: "Asia/Kolkata", quiet: false },
  { name: "Gone", role: "member", zone: "America/New_York", quiet: false },
] as const;
export type Name = (typeof people)[number]["name"];

/** The hour at which Gone leaves, without a successor. */
export const leavesAt = 200 * 24 + 14;

interface Agreement {
  title: string;
  owner: Name;
  effective: Day;
  months: number;
  /** Null: it ends instead of renewing. */
  renewal: number | null;
}

interface Duty {
  title: string;
  contract: number;
  assignee: Name | null;
  date: Day | null;
  every: number | null;
  /** For a notice: how many days before the end of the term. */
  notice: number | null;
  /** The hours of the year at which it is completed; a recurring one is completed once at each. */
  done: number[];
  /** When it gets another date, and which one. */
  moved: { at: number; to: Day } | null;
}

const random = randomNumbers("a year of notifications");
const below = (most: number) => Math.floor(random() * most);
const someone = () => people[1 + below(people.length - 1)]!.name;

export const agreements: Agreement[] = Array.from({ length: 12 }, (_, index) => ({
  title: `Agreement ${index}`,
  owner: someone(),
  effective: addDays("2026-01-01", below(360)),
  months: 12 + below(6),
  renewal: index % 3 === 0 ? null : 6 + below(7),
}));

export const duties: Duty[] = Array.from({ length: 72 }, (_, index) => {
  const isNotice = index % 6 === 0;
  const every = !isNotice && index % 5 === 0 ? 1 + below(4) : null;
  const date = isNotice ? null : addDays(firstDay, below(400) - 20);
  // Some are completed in time, some late, some never; at any hour.
  const at = () => below(hours);
  const done = index % 4 === 3 ? [] : every ? [at(), at(), at()].toSorted((a, b) => a - b) : [at()];
  const movesAt = below(hours);
  const moved =
    !isNotice && !every && index % 7 === 0
      ? { at: movesAt, to: addDays(dayOf(momentOf(movesAt)), below(4)) }
      : null;
  return {
    title: `Duty ${index}`,
    contract: below(agreements.length),
    assignee: index % 3 === 0 ? null : someone(),
    ...{ date, every, notice: isNotice ? 30 + below(60) : null, done, moved },
  };
});

const wallClock = (zone: string) =>
  new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short", timeStyle: "short" });

/** The wall clock of each time zone. */
export const clocks = new Map(people.map(({ zone }) => [zone, wallClock(zone)]));

const isWeekend = (day: Day) => [0, 6].includes(midnight(day).getUTCDay());

interface State {
  date: Day | null;
  isOpen: boolean;
  assignee: Name | null;
}

/** Returns all that anyone must have been told by the end, each once: `Berta OBLIGATION_DUE Duty 3 2027-03-01 7`. */
export function expected(): string[] {
  const told: string[] = [];
  const nearest = new Map<string, number>();
  const digested = new Set<string>();
  const terms = agreements.map(({ months }) => months);
  const endOf = (index: number) => termEnd(agreements[index]!.effective, terms[index]!);
  const counts = duties.map(() => 0);
  const closed = duties.map(() => false);
  const dates = duties.map(({ date }) => date);
  let isHere = true;
  const tell = (who: Name, kind: string, what: string, date: Day, stage: number) => {
    const key = `${who} ${kind} ${what} ${date}`;
    const name = kind === "ESCALATION" ? `${key} ${stage}` : key;
    if ((nearest.get(name) ?? Number.POSITIVE_INFINITY) <= stage) return;
    nearest.set(name, stage);
    told.push(`${key} ${stage}`);
  };
  for (let hour = 0; hour < hours; hour++) {
    const utcDay = dayOf(momentOf(hour));
    for (const [index, { done, moved }] of duties.entries()) {
      if (moved?.at === hour) dates[index] = moved.to;
      for (const at of done) {
        if (at !== hour) continue;
        if (duties[index]!.every === null) closed[index] = true;
        else counts[index]!++;
      }
    }
    if (hour === leavesAt) isHere = false;
    if (hour % 24 === 0) {
      for (const [index, { renewal }] of agreements.entries()) {
        while (renewal !== null && endOf(index) < utcDay) terms[index]! += renewal;
      }
    }
    const states = duties.map(({ every, notice, contract, assignee }, index): State => {
      const first = notice === null ? dates[index]! : addDays(endOf(contract), -notice);
      const date = every === null ? first : addMonths(first, every * counts[index]!);
      return { date, isOpen: !closed[index], assignee: !isHere && assignee === "Gone" ? null : assignee };
    });
    for (const { name, role, zone, quiet } of people) {
      if (name === "Gone" && !isHere) continue;
      const [day, time] = clocks.get(zone)!.format(momentOf(hour)).split(" ") as [Day, string];
      if (time < "08:00" || (quiet && isWeekend(day))) continue;
      const isFirst = !digested.has(`${name} ${day}`);
      digested.add(`${name} ${day}`);
      let quietDays = 0;
      while (quiet && isWeekend(addDays(day, quietDays + 1))) quietDays++;
      const isReader = (person: Name) => (person === "Gone" && !isHere ? role === "owner" : person === name);
      const ahead = (date: Day, stages: number[]) =>
        stages.find((stage) => daysBetween(day, date) - quietDays <= stage);
      const tellAhead = (kind: string, what: string, date: Day, stages: number[]) => {
        const stage = date >= day ? ahead(date, stages) : undefined;
        if (stage !== undefined && (isFirst || stage === 1)) tell(name, kind, what, date, stage);
      };
      for (const [index, { date, isOpen, assignee }] of states.entries()) {
        if (!isOpen || date === null) continue;
        const { title, contract } = duties[index]!;
        const owner = agreements[contract]!.owner;
        const isMine = isReader(assignee ?? owner);
        if (isMine) tellAhead("OBLIGATION_DUE", title, date, [1, 7, 30]);
        if (!isFirst || date >= day) continue;
        if (isMine) tell(name, "OBLIGATION_OVERDUE", title, date, 0);
        const late = daysBetween(date, day);
        const isOwners = assignee !== null && assignee !== owner && assignee !== name && isReader(owner);
        if (late >= 3 && isOwners) tell(name, "ESCALATION", title, date, 1);
        const isAdmins = role !== "member" && owner !== name && !isMine;
        if (late >= 7 && isAdmins) tell(name, "ESCALATION", title, date, 2);
      }
      for (const [index, { title, owner }] of agreements.entries()) {
        const end = endOf(index);
        if (end < day || end < utcDay || !isReader(owner)) continue;
        const notices = states.flatMap(({ date, isOpen }, at) =>
          duties[at]!.contract === index && duties[at]!.notice !== null && isOpen && date! >= day
            ? [date!]
            : [],
        );
        tellAhead("RENEWAL", title, [end, ...notices].toSorted()[0]!, [1, 7, 30, 90]);
      }
    }
  }
  return told.toSorted();
}
