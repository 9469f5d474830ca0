"use client";
import { channelWords, kindWords } from "#components/inbox/words.ts";
import { Select } from "#components/ui/select.tsx";
import {
  type Channel,
  channels,
  type NotificationKind,
  notificationKinds,
} from "#lib/notifications/catalogue.ts";

export const channelOptions = channels.map((value: Channel) => ({ value, label: channelWords[value] }));

/** Lists each kind of notification with its channel. */
export function KindList({
  value,
  options,
  onValue,
  disabled,
}: {
  value(kind: NotificationKind): string;
  options(kind: NotificationKind): { value: string; label: string }[];
  onValue(kind: NotificationKind, value: string): void;
  disabled?: boolean;
}) {
  return (
    <ul className="grid gap-3">
      {notificationKinds.map((kind) => (
        <li key={kind} className="flex flex-wrap items-center gap-x-4 gap-y-1.5">
          <span className="min-w-0 flex-1 basis-56">
            <span className="block font-medium">{kindWords[kind].label}</span>
            <span className="block text-quiet text-xs">{kindWords[kind].hint}</span>
          </span>
          <Select
            aria-label={kindWords[kind].label}
            className="w-full sm:w-64"
            disabled={disabled}
            value={value(kind)}
            options={options(kind)}
            onChange={({ target }) => onValue(kind, target.value)}
          />
        </li>
      ))}
    </ul>
  );
}
