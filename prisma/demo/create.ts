/** Creates the demo workspace by replaying its days in order, from its founding to today. */
import { randomBytes } from "node:crypto";
import { advanceContract } from "#lib/contracts/daily.ts";
import { select } from "#lib/core/change.ts";
import { type Actor, asOrganization, type Context, systemContext } from "#lib/core/context.ts";
import { addDays, type Day, dayOf, midnight } from "#lib/core/dates.ts";
import { insertKey } from "#lib/keys/keys.ts";
import { patchObligation } from "#lib/obligations/obligations.ts";
import { createInvitation } from "#lib/people/members/invitations.ts";
import { addMember, createWorkspace } from "#lib/people/members/workspaces.ts";
import { accountStories } from "./accounts.ts";
import { customerStories } from "./customers.ts";
import { moment, workday } from "./days.ts";
import { company, founder, invited, type Member, members } from "./members.ts";
import { partnerStories } from "./partners.ts";
import { peopleStories } from "./people.ts";
import { type Step, stepsOf, type World } from "./steps.ts";
import type { By } from "./story.ts";
import { supplyStories } from "./supply.ts";
import { type Shipped, shipped, shipTemplate } from "./templates/shipped.ts";
import { vendorStories } from "./vendors.ts";

const stories = [
  ...customerStories,
  ...accountStories,
  ...vendorStories,
  ...supplyStories,
  ...partnerStories,
  ...peopleStories,
];

const founding = -552;

/** Returns the context of an actor at a given time. */
type ContextOf = (by: By, at: Date) => Context;

/** Creates everything and returns the credentials. Call it inside a change. */
export async function createDemo(password: string, now: Date) {
  const today = dayOf(now);
  const { organizationId, users } = await found(password, today);
  const owner = contextOf(organizationId, userActor(users, founder), now);
  const erp = await insertKey(
    contextOf(organizationId, userActor(users, "marcus"), moment(today, founding, 90)),
    { name: "ERP synchronization", preset: "full_access" },
  );
  const by: ContextOf = (who, at) => {
    if (who === "assistant") return systemContext(organizationId, who, at);
    const key: Actor = { kind: "api_key", id: erp.id, name: "ERP synchronization" };
    return contextOf(organizationId, who === "erp" ? key : userActor(users, who), at);
  };
  const templates = await ship(by("marcus", moment(today, founding, 120)));
  await live(organizationId, { users, parties: new Map(), templates, chores: [] }, by, today);
  const { key } = await insertKey(owner, { name: "Demo", preset: "full_access" });
  return { email: members[founder].email, password, key };
}

async function found(password: string, today: Day) {
  const { name, email } = members[founder];
  const at = (minute: number) => moment(today, founding, minute);
  const owner = { ownerEmail: email, ownerName: name, ownerPassword: password };
  const { organizationId, userId } = await createWorkspace({ name: company, ...owner, now: at(0) });
  const users = new Map<Member, string>([[founder, userId]]);
  for (const [index, [id, member]] of Object.entries(members).entries()) {
    if (id === founder) continue;
    const ctx = systemContext(organizationId, "operator", at(5 + index));
    // Their passwords are random and discarded: only the founder can sign in.
    const added = await addMember(ctx, { ...member, password: randomBytes(24).toString("base64url") });
    users.set(id as Member, added.userId);
  }
  return { organizationId, users };
}

async function ship(ctx: Context): Promise<World["templates"]> {
  const made: Partial<World["templates"]> = {};
  for (const [name, template] of Object.entries(shipped)) {
    const { row, docx } = await shipTemplate(ctx, template);
    made[name as Shipped] = { id: row.id, docx };
  }
  return made as World["templates"];
}

function userActor(users: Map<Member, string>, who: Member): Actor {
  return { kind: "user", id: users.get(who)!, ...members[who] };
}

function contextOf(organizationId: string, actor: Actor, now: Date): Context {
  return { ...systemContext(organizationId, "", now), organizationId: asOrganization(organizationId), actor };
}

/** For each day: first the calendar's transitions at midnight, then what people did. */
async function live(organizationId: string, world: World, by: ContextOf, today: Day): Promise<void> {
  const steps = [...stepsOf(stories, today), invitation(today)];
  const days = Map.groupBy(steps, ({ at }) => dayOf(at));
  for (let day = workday(today, founding); day <= today; day = addDays(day, 1)) {
    await advanceDue(systemContext(organizationId, "calendar", midnight(day)));
    for (const step of days.get(day) ?? []) await step.take(by(step.by, step.at), world);
    if (day < today) await doChores(world, by, day);
  }
}

function invitation(today: Day): Step {
  const { email, by } = invited;
  const take = async (ctx: Context) => {
    await createInvitation(ctx, { email, role: "member" });
  };
  return { at: moment(today, -1, 500), by, take };
}

/** Like advanceContracts, but for one workspace and inside the open change. */
async function advanceDue(ctx: Context): Promise<void> {
  const due = await select<{ id: string }>(
    `SELECT id FROM contracts WHERE organization_id = $1 AND ((status = 'EXECUTED' AND effective_date <= $2)
       OR (status = 'ACTIVE' AND expires_at < $2::date)) ORDER BY id`,
    [ctx.organizationId, ctx.now],
  );
  for (const { id } of due) await advanceContract(ctx, id);
}

/** On working days, members complete the recurring obligations that fall due within two days. */
async function doChores({ chores }: World, by: ContextOf, day: Day): Promise<void> {
  const weekday = midnight(day).getUTCDay();
  if (weekday === 0 || weekday === 6) return;
  let minute = 17 * 60;
  for (const chore of chores) {
    if (!chore.due || day > chore.until || dayOf(chore.due) > addDays(day, 2)) continue;
    const at = new Date(midnight(day).getTime() + minute++ * 60_000);
    const row = await patchObligation(by(chore.by, at), { id: chore.id, status: "COMPLETED" });
    chore.due = row.resolvedDate;
  }
}
