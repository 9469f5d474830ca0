/**
 * For `node`: runs the year of e2e/notification-year.ts from a given hour on, with the product's own functions and jobs
 * and a simulated clock. Prints its progress; restarted after a kill, it only does what was not done yet.
 */
import "#lib/events/listen.ts";
import { advanceContracts } from "#lib/contracts/daily.ts";
import { contracts } from "#lib/contracts/operations.ts";
import { type Context, systemContext } from "#lib/core/context.ts";
import { database, disconnect } from "#lib/core/db.ts";
import { execute } from "#lib/core/execute.ts";
import { removeMemberFor } from "#lib/handover/handover.ts";
import { prepareQueue } from "#lib/jobs/queue.ts";
import { sendDueAssignments, sendDueDigests, sendDueUrgent } from "#lib/notifications/daily.ts";
import { obligations } from "#lib/obligations/operations.ts";
import { addMember, createWorkspace } from "#lib/people/members/workspaces.ts";
import {
  agreements,
  clocks,
  duties,
  hours,
  leavesAt,
  momentOf,
  type Name,
  people,
} from "./notification-year.ts";

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

/** Does what people do in an hour; after a kill, only what was not done yet. */
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

/** Hours in which something happens, or it is eight o'clock in someone's zone; and every sixth hour. */
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
    await sendDueAssignments(now);
    await sendDueDigests(now);
    await sendDueUrgent(now);
    process.stdout.write(`${hour + 1}\n`);
  }
  process.stdout.write(`${hours}\n`);
}

await live(Number(process.argv[2]));
await disconnect();
