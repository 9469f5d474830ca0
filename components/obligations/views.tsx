"use client";
/** Links to the two views of obligations. They keep the filters that both views have. */
import { clsx } from "clsx";
import { CalendarDays, List } from "lucide-react";
import NextLink from "next/link";
import { useSearchParams } from "next/navigation";

const views = [
  { id: "list", label: "List", href: "/obligations", icon: List },
  { id: "calendar", label: "Calendar", href: "/obligations/calendar", icon: CalendarDays },
] as const;

const shared = new Set(["view", "status", "kind", "counterpartyId", "ownerId", "assigneeId"]);

export function ObligationViews({ current }: { current: "list" | "calendar" }) {
  const params = [...useSearchParams()].filter(([name]) => shared.has(name));
  const query = params.length > 0 ? `?${new URLSearchParams(params)}` : "";
  return (
    <nav aria-label="Views" className="inline-flex h-8 rounded-md border border-line bg-well p-0.5">
      {views.map(({ id, label, href, icon: Icon }) => (
        <NextLink
          prefetch={false}
          key={id}
          href={href + query}
          aria-current={id === current ? "page" : undefined}
          className={clsx(
            "flex items-center gap-1.5 rounded-[0.3125rem] px-2.5 font-medium",
            id === current ? "bg-paper text-ink shadow-low" : "text-quiet hover:text-ink",
          )}
        >
          <Icon aria-hidden className="size-4" />
          {label}
        </NextLink>
      ))}
    </nav>
  );
}
