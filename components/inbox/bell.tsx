"use client";
/** A link to the inbox with the number of new notifications. */
import { Bell as BellIcon } from "lucide-react";
import NextLink from "next/link";
import { useOperation } from "#components/query.tsx";
import { buttonClass } from "#components/ui/button.tsx";

/** The polling interval. Notifications need not arrive within seconds. */
const everyMs = 60_000;
const maxCount = 99;

export function Bell({ isLarge = false }: { isLarge?: boolean }) {
  const { data } = useOperation("notifications.unread", {}, { everyMs });
  const unread = data?.unread ?? 0;
  const shown = unread > maxCount ? `${maxCount}+` : String(unread);
  const label = unread === 0 ? "Inbox" : `Inbox, ${shown} new`;
  return (
    <NextLink
      href="/inbox"
      prefetch={false}
      aria-label={label}
      title={label}
      className={`${buttonClass("quiet", isLarge ? "lg" : "md")} !px-0 relative ${isLarge ? "w-10" : "w-8"}`}
    >
      <BellIcon aria-hidden />
      {unread > 0 && (
        <span
          aria-hidden
          className="absolute top-0 right-0 min-w-4 rounded-full bg-accent px-1 text-center font-semibold text-2xs text-on-accent leading-4 tabular-nums"
        >
          {shown}
        </span>
      )}
    </NextLink>
  );
}
