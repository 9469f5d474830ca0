"use client";
/** The layout of the settings: their navigation next to the page; on a phone, a link back to the list. */
import { clsx } from "clsx";
import { ChevronLeft, ChevronRight } from "lucide-react";
import NextLink from "next/link";
import { usePathname } from "next/navigation";
import type { ReactNode } from "react";
import { useMay } from "#components/session.tsx";
import { settingsIcons } from "./icons.ts";
import { type SettingsPage, settingsPages } from "./pages.ts";

function useGroups(): [string, SettingsPage[]][] {
  const may = useMay();
  const seen = settingsPages.filter(({ scope }) => scope === null || may(scope));
  return [...Map.groupBy(seen, ({ group }) => group)];
}

export function SettingsFrame({ notice, children }: { notice?: ReactNode; children: ReactNode }) {
  const pathname = usePathname();
  return (
    <div className="lg:grid lg:grid-cols-[12.5rem_minmax(0,1fr)]">
      <div className="max-lg:hidden">
        <div className="sticky top-2 px-3 py-5">
          <SideNavigation pathname={pathname} />
        </div>
      </div>
      <div className="min-w-0 lg:min-h-[calc(100dvh-1rem)] lg:border-line lg:border-l">
        {pathname !== "/settings" && (
          <NextLink
            href="/settings"
            prefetch={false}
            className="flex h-11 items-center gap-1 px-3 font-medium text-quiet hover:text-ink lg:hidden"
          >
            <ChevronLeft aria-hidden className="size-4" />
            Settings
          </NextLink>
        )}
        {notice}
        {children}
      </div>
    </div>
  );
}

function SideNavigation({ pathname }: { pathname: string }) {
  const groups = useGroups();
  // On a wide screen, /settings shows the first page.
  const current = pathname === "/settings" ? "/settings/workspace" : pathname;
  return (
    <nav aria-label="Settings" className="grid gap-5">
      {groups.map(([group, pages]) => (
        <div key={group}>
          <p className="px-2.5 pb-1 font-medium text-faint text-xs">{group}</p>
          <ul className="grid gap-0.5">
            {pages.map(({ label, href }) => {
              const Icon = settingsIcons[href];
              const here = current === href || current.startsWith(`${href}/`);
              return (
                <li key={href}>
                  <NextLink
                    href={href}
                    prefetch={false}
                    aria-current={here ? "page" : undefined}
                    className={clsx(
                      "flex h-8 items-center gap-2.5 rounded-md px-2.5",
                      here ? "bg-hover font-medium text-ink" : "text-quiet hover:bg-hover hover:text-ink",
                    )}
                  >
                    <Icon aria-hidden className={clsx("size-4", here && "text-accent")} />
                    {label}
                  </NextLink>
                </li>
              );
            })}
          </ul>
        </div>
      ))}
    </nav>
  );
}

/** The list of settings pages, shown first on a phone. */
export function SettingsList() {
  const groups = useGroups();
  return (
    <div className="grid gap-6 px-4 py-5">
      <h1 className="font-semibold text-xl tracking-[-0.015em]">Settings</h1>
      {groups.map(([group, pages]) => (
        <section key={group} aria-label={group}>
          <h2 className="px-1 pb-1.5 font-medium text-faint text-xs">{group}</h2>
          <ul className="overflow-hidden rounded-lg border border-line">
            {pages.map(({ label, about, href }) => {
              const Icon = settingsIcons[href];
              return (
                <li key={href} className="border-line border-b last:border-b-0">
                  <NextLink
                    href={href}
                    prefetch={false}
                    className="flex min-h-14 items-center gap-3 px-3.5 py-2 hover:bg-well"
                  >
                    <Icon aria-hidden className="size-5 text-quiet" strokeWidth={1.75} />
                    <span className="min-w-0 flex-1">
                      <span className="block font-medium text-base">{label}</span>
                      <span className="block truncate text-quiet">{about}</span>
                    </span>
                    <ChevronRight aria-hidden className="size-4 text-faint" />
                  </NextLink>
                </li>
              );
            })}
          </ul>
        </section>
      ))}
    </div>
  );
}
