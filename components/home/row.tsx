"use client";
/** A row of a list on Home, which links to a page. */
import type { ReactNode } from "react";
import { NameLink } from "#components/ui/link.tsx";

/** The maximum number of rows on Home; the full list has its own page. */
export const glance = 8;

export function Row({
  href,
  title,
  detail,
  children,
}: {
  href: string;
  title: string;
  detail?: ReactNode;
  children?: ReactNode;
}) {
  return (
    <li className="relative flex items-center gap-3 border-line border-b px-4 py-2 last:border-b-0 hover:bg-well">
      <div className="min-w-0 flex-1">
        <NameLink
          href={href}
          prefetch={false}
          title={title}
          className="line-clamp-2 after:absolute after:inset-0"
        >
          {title}
        </NameLink>
        {detail && <span className="line-clamp-2 text-quiet text-xs">{detail}</span>}
      </div>
      {children}
    </li>
  );
}
