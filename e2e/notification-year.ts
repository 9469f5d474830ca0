/**
 * A year of a workspace, hour by hour: what happens in it, told twice. Run as a program, this does it with the product's
 * own functions and jobs and a clock that is given; notifications in e2e/faults/notification-year.spec.ts counts what
 * came of it and compares it with `expected`, which works it out from the rules alone.
 */
import "#lib/events/listen.ts";
import { advanceContracts } from "#lib/contracts/daily.ts";
import { contracts } from "#lib/contracts/operations.ts";
import { type Context, systemContext } from "#lib/core/context.ts";
import { addDays, addMonths, type Day, dayOf, daysBetween, midnight, termEnd } from "#lib/core/dates.ts";
import { database, disconnect } from "#lib/core/db.ts";
import { execute } from "#lib/core/execute.ts";
import { removeMemberFor } from "#lib/handover/handover.ts";
import { prepareQueue } from "#lib/jobs/queue.ts";
import { tellDigests, tellOfAssignments, tellWhatCannotWait } from "#lib/notifications/daily.ts";
import { obligations } from "#lib/obligations/operations.ts";
import { addMember, createWorkspace } from "#lib/people/members/workspaces.ts";
import { randomNumbers } from "./random.ts";

export const firstDay: Day = "2027-01-01";
export const hours = 365 * 24;
const hourMs = 60 * 60 * 1000;
export const momentOf = (hour: number) => new Date(midnight(firstDay).getTime() + hour * hourMs);

/** Zones that change their clocks on different days, by an hour or by half of one, and zones that do not. */
export const people = [
  { name: "Olive", role: "owner", zone: "UTC", quiet: false },
  { name: "Ada", role: "admin", zone: "Pacific/Auckland", quiet: false },
  { name: "Berta", role: "member", zone: "Europe/Berlin", quiet: true },
  { name: "Nora", role: "member", zone: "America/New_York", quiet: false },
  { name: "Howe", role: "member", zone: "Australia/Lord_Howe", quiet: true },
  { name: "Kim", role: "member", zone: "Asia/Kolkata", quiet: false },
  { name: "Gone", role: "member", zone: "America/New_York", quiet: false },
] as const;
type Name = (typeof people)[number]["name"];

/** When Gone leaves, without a successor. */
const leavesAt = 200 * 24 + 14;

interface Agreement {
  title: string;
  owner: Name;
  effective: Day;
  months: number;
  /** Null: it ends. */
  renewal: number | null;
}

interface Duty {
  title: string;
  contract: number;
  assignee: Name | null;
  date: Day | null;
  every: number | null;
  /** Days before the term's end, of a notice. */
  notice: number | null;
  /** At which hours of the year it is completed; of a recurring one, each time once. */
  done: number[];
  /** When it gets another date, and which. */
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
  // Some in time, some late, some never; at any hour.
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

// What follows does it.

const password = "correct horse battery";

async function seed(): Promise<void> {
  const { organizationId, userId } = await createWorkspace({
    name: "A year",
    ownerEmail: "olive@year.example",
    ownerName: "Olive",
    ownerPassword: password,
  });
  const ctx = systemContext(organizationId, "year", momentOf(0));
  const { prisma } = database();
  const ids = new Map<Name, string>([["Olive", userId]]);
  for (const { name, role, zone, quiet } of people) {
    if (name !== "Olive") {
      const made = await addMember(ctx, {
        email: `${name.toLowerCase()}@year.example`,
        name,
        role,
        password,
      });
      ids.set(name, made.userId);
    }
    const id = ids.get(name)!;
    await prisma.user.update({ where: { id }, data: { timeZone: zone } });
    const channels = {};
    await prisma.notificationSettings.create({
      data: { organizationId, userId: id, quietWeekends: quiet, channels, updatedAt: ctx.now },
    });
  }
  const contractIds: string[] = [];
  for (const { title, owner, effective, months, renewal } of agreements) {
    const term = {
      effectiveDate: effective,
      termMonths: months,
      autoRenews: renewal !== null,
      renewalMonths: renewal,
    };
    const kind = { type: "MSA", ourRole: "CUSTOMER", ownerId: ids.get(owner), ...term };
    const { contract } = await execute(contracts.create, ctx, { title, ...kind });
    await execute(contracts.setStatus, ctx, { id: contract.id, next: "EXECUTED" });
    contractIds.push(contract.id);
  }
  for (const { title, contract, assignee, date, every, notice } of duties) {
    const when =
      notice === null
        ? { anchorType: "FIXED_DATE", fixedDate: date, recurrenceMonths: every }
        : { anchorType: "EXPIRATION_DATE", offsetValue: notice, offsetDirection: "BEFORE" };
    const assigneeId = assignee && ids.get(assignee);
    const duty = { contractId: contractIds[contract], kind: notice === null ? "PAYMENT" : "RENEWAL_NOTICE" };
    await execute(obligations.create, ctx, { ...duty, title, assigneeId, ...when });
  }
  await advanceContracts(momentOf(0));
}

/** What people do in an hour; again after a kill, only what was not done. */
async function act(ctx: Context, hour: number, idOf: ReadonlyMap<string, string>): Promise<void> {
  const { prisma } = database();
  for (const { title, done, moved } of duties) {
    const id = idOf.get(title)!;
    const row = () =>
      prisma.obligation.findUniqueOrThrow({
        where: { organizationId_id: { organizationId: ctx.organizationId, id } },
      });
    if (moved?.at === hour) await execute(obligations.patch, ctx, { id, fixedDate: moved.to });
    for (const [nth, at] of done.entries()) {
      if (at !== hour) continue;
      const { completedCount, recurrenceMonths, state } = await row();
      if (recurrenceMonths === null ? state === "OPEN" : completedCount === nth) {
        await execute(obligations.patch, ctx, { id, status: "COMPLETED" });
      }
    }
  }
  if (hour !== leavesAt) return;
  const { organizationId } = ctx;
  const where = { organizationId, removedAt: null, user: { is: { name: "Gone" } } };
  const gone = await prisma.member.findFirst({ where });
  if (gone) await removeMemberFor(ctx, { memberId: gone.id, successorId: null });
}

const clocks = new Map(people.map(({ zone }) => [zone, wallClock(zone)]));

/** Hours in which something happens, or it strikes eight somewhere; and every sixth besides. */
function matters(hour: number): boolean {
  const isEight = [...clocks.values()].some((clock) => clock.format(momentOf(hour)).slice(-5, -3) === "08");
  const happens = duties.some(({ done, moved }) => done.includes(hour) || moved?.at === hour);
  return isEight || happens || hour === leavesAt || hour % 6 === 0;
}

async function live(from: number): Promise<void> {
  const { prisma } = database();
  if ((await prisma.organization.count()) === 0) {
    await prepareQueue();
    await seed();
  }
  const { id: organizationId } = await prisma.organization.findFirstOrThrow();
  const rows = await prisma.obligation.findMany({ select: { id: true, title: true } });
  const idOf = new Map(rows.map(({ id, title }) => [title, id]));
  for (let hour = from; hour < hours; hour++) {
    if (!matters(hour)) continue;
    const now = momentOf(hour);
    await act(systemContext(organizationId, "year", now), hour, idOf);
    if (hour % 24 === 0) await advanceContracts(now);
    await tellOfAssignments(now);
    await tellDigests(now);
    await tellWhatCannotWait(now);
    process.stdout.write(`${hour + 1}\n`);
  }
  process.stdout.write(`${hours}\n`);
}

// And this works out what must come of it, from the rules alone.

const isWeekend = (day: Day) => [0, 6].includes(midnight(day).getUTCDay());

interface State {
  date: Day | null;
  isOpen: boolean;
  assignee: Name | null;
}

/** `Berta OBLIGATION_DUE Duty 3 2027-03-01 7`: all that anyone must have been told by the end, each once. */
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

if (process.argv[1] === import.meta.filename) {
  await live(Number(process.argv[2]));
  await disconnect();
}
