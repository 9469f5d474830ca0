/** Notification settings: each member's own, and the workspace's defaults for kinds that they did not choose. */
import { change, differences, reader } from "#lib/core/change.ts";
import { type Context, own } from "#lib/core/context.ts";
import type { Prisma, Transaction } from "#lib/core/db.ts";
import { settings } from "#lib/core/env.ts";
import { atomicHousekeeping } from "#lib/core/housekeeping.ts";
import { type Channels, defaultEscalation, firstChannels, notificationKinds } from "./catalogue.ts";
import { unknownZone } from "./local-time.ts";
import type { DefaultsPatch, NotificationDefaults, NotificationSettings, SettingsPatch } from "./schema.ts";

type Chosen = Partial<Channels>;

/** Whether notifications are e-mailed. Without a mail server they would only pile up in a folder. */
export const sendsMail = (): boolean => settings().SMTP_URL !== undefined;

const mine = (ctx: Context) => ({ ...own(ctx), userId: ctx.actor.id });

interface DefaultsRow {
  channels: unknown;
  ownerAfterDays: number | null;
  adminsAfterDays: number | null;
}

/** A workspace's defaults from its row, or the built-in defaults if it has none. */
export function defaultsFrom(row: DefaultsRow | null): NotificationDefaults {
  if (!row) return { channels: firstChannels, ...defaultEscalation };
  const { channels, ownerAfterDays, adminsAfterDays } = row;
  return { channels: { ...firstChannels, ...(channels as Chosen) }, ownerAfterDays, adminsAfterDays };
}

export async function readDefaults(ctx: Context): Promise<NotificationDefaults> {
  return defaultsFrom(await reader().notificationDefaults.findUnique({ where: own(ctx) }));
}

export async function saveDefaults(
  ctx: Context,
  { channels, ...escalation }: DefaultsPatch,
): Promise<NotificationDefaults> {
  return change(ctx, async (tx, record) => {
    await tx.$queryRaw`SELECT 1 FROM organizations WHERE id = ${ctx.organizationId} FOR NO KEY UPDATE`;
    const before = await readDefaults(ctx);
    const ofKinds = differences<Chosen>(before.channels, channels ?? {});
    const ofDays = differences<typeof escalation>(before, escalation);
    const changes = { ...ofKinds.changes, ...ofDays.changes };
    if (Object.keys(changes).length === 0) return before;
    const after = { ...before, ...ofDays.fields, channels: { ...before.channels, ...ofKinds.fields } };
    const data = { ...after, updatedAt: ctx.now };
    await tx.notificationDefaults.upsert({ where: own(ctx), create: { ...own(ctx), ...data }, update: data });
    record({
      action: "NOTIFICATION_DEFAULTS_CHANGED",
      target: { type: "workspace", id: ctx.organizationId },
      changes,
    });
    return after;
  });
}

export async function readSettings(ctx: Context): Promise<NotificationSettings> {
  const [row, defaults, user] = await Promise.all([
    reader().notificationSettings.findUnique({ where: { organizationId_userId: mine(ctx) } }),
    readDefaults(ctx),
    reader().user.findUniqueOrThrow({ where: { id: ctx.actor.id }, select: { timeZone: true } }),
  ]);
  const chosen = (row?.channels ?? {}) as Chosen;
  const each = notificationKinds.map((kind) => [kind, chosen[kind] ?? null]);
  return {
    channels: Object.fromEntries(each) as NotificationSettings["channels"],
    defaults: defaults.channels,
    quietWeekends: row?.quietWeekends ?? false,
    timeZone: user.timeZone ?? unknownZone,
    sendsMail: sendsMail(),
  };
}

/** Reads a member's choices and locks them until the commit, so that concurrent changes of other choices are kept. */
export async function lockChosen(
  tx: Transaction,
  who: { organizationId: string; userId: string },
  now: Date,
): Promise<{ chosen: Chosen; quietWeekends: boolean }> {
  const where = { organizationId_userId: who };
  const fresh = { ...who, channels: {}, updatedAt: now };
  await tx.notificationSettings.createMany({ data: [fresh], skipDuplicates: true });
  await tx.$queryRaw`SELECT 1 FROM notification_settings
    WHERE organization_id = ${who.organizationId} AND user_id = ${who.userId} FOR UPDATE`;
  const { channels, quietWeekends } = await tx.notificationSettings.findUniqueOrThrow({ where });
  return { chosen: channels as Chosen, quietWeekends };
}

/** A member's notification settings are private, so they are not logged. */
export async function saveSettings(ctx: Context, patch: SettingsPatch): Promise<NotificationSettings> {
  await atomicHousekeeping(async (tx) => {
    const before = await lockChosen(tx, mine(ctx), ctx.now);
    const all = Object.entries({ ...before.chosen, ...patch.channels });
    const channels = Object.fromEntries(all.filter(([, channel]) => channel)) as Prisma.InputJsonObject;
    const quietWeekends = patch.quietWeekends ?? before.quietWeekends;
    await tx.notificationSettings.update({
      where: { organizationId_userId: mine(ctx) },
      data: { channels, quietWeekends, updatedAt: ctx.now },
    });
  });
  return readSettings(ctx);
}
