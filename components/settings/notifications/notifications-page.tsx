"use client";
/** The member's own notification settings, and the workspace's defaults. */
import { channelWords } from "#components/inbox/words.ts";
import { useAct, useOperation } from "#components/query.tsx";
import { useMay } from "#components/session.tsx";
import { Card, Section } from "#components/ui/card.tsx";
import { Switch } from "#components/ui/choice.tsx";
import { Link } from "#components/ui/link.tsx";
import { useToast } from "#components/ui/toast.tsx";
import { channels, type NotificationKind } from "#lib/notifications/catalogue.ts";
import type { NotificationSettings } from "#lib/notifications/schema.ts";
import { Read, Reason, SettingsBody } from "../parts.tsx";
import { Defaults } from "./defaults.tsx";
import { channelOptions, KindList } from "./kind-list.tsx";

export function NotificationsPage() {
  const may = useMay();
  const own = useOperation("notifications.settings", {});
  const defaults = useOperation("notifications.defaults", {});
  return (
    <SettingsBody
      title="Notifications"
      description="What you are notified of, and how. Everything you have not turned off appears in the inbox."
    >
      <Read reading={own} label="Loading your notification settings" rows={7}>
        {(settings) => <Own settings={settings} />}
      </Read>
      {may("members:read") && (
        <Read reading={defaults} label="Loading the workspace's defaults">
          {(found) => <Defaults defaults={found} />}
        </Read>
      )}
    </SettingsBody>
  );
}

function Own({ settings }: { settings: NotificationSettings }) {
  const { defaults, quietWeekends, timeZone, sendsMail } = settings;
  const toast = useToast();
  const save = useAct("notifications.saveSettings", {
    invalidates: ["notifications"],
    optimistic: (input, memory) =>
      memory.updateAll("notifications.settings", (before) => ({
        ...before,
        ...(input.quietWeekends === undefined ? {} : { quietWeekends: input.quietWeekends }),
        channels: { ...before.channels, ...withoutUndefined(input.channels ?? {}) },
      })),
  });
  const run = async (input: Parameters<typeof save.run>[0]) => {
    await save.run(input);
    toast({ title: "Saved" });
  };
  const choose = (kind: NotificationKind, value: string) => {
    const channel = channels.find((each) => each === value) ?? null;
    void run({ channels: { [kind]: channel } }).catch(() => undefined);
  };
  return (
    <Section title="For you">
      <Card className="grid gap-4 p-4 sm:p-5">
        {!sendsMail && (
          <Reason>This server sends no e-mails: everything you have not turned off goes to the inbox.</Reason>
        )}
        <KindList
          value={(kind) => settings.channels[kind] ?? ""}
          options={(kind) => [
            { value: "", label: `Default: ${channelWords[defaults[kind]].toLowerCase()}` },
            ...channelOptions,
          ]}
          onValue={choose}
        />
        <Switch
          label="Quiet on Saturday and Sunday"
          hint="You are notified on Friday of what is due on a weekend."
          checked={quietWeekends}
          onChange={({ target }) => void run({ quietWeekends: target.checked }).catch(() => undefined)}
        />
        <p className="text-quiet text-xs">
          You are notified of what is due once a day, at 8:00 in your time zone,{" "}
          {timeZone.replaceAll("_", " ")}. <Link href="/settings/profile">Change the time zone</Link>
        </p>
      </Card>
    </Section>
  );
}

const withoutUndefined = <Value extends object>(value: Value) =>
  Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as {
    [Name in keyof Value]: Exclude<Value[Name], undefined>;
  };
