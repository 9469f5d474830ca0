"use client";
/** The layout of every member's page: navigation, search, and the workspace and user menus. */
import { clsx } from "clsx";
import { Keyboard, Menu as MenuIcon, Search } from "lucide-react";
import NextLink from "next/link";
import { usePathname, useRouter } from "next/navigation";
import { type ReactNode, useCallback, useDeferredValue, useEffect, useMemo, useState } from "react";
import { Bell } from "#components/inbox/bell.tsx";
import { useMay, useSession } from "#components/session.tsx";
import { Kbd } from "#components/ui/bits.tsx";
import { IconButton } from "#components/ui/button.tsx";
import { useLinksBlockedOffline } from "#components/ui/connection.ts";
import { lazily } from "#components/ui/lazily.tsx";
import { UserMenu, WorkspaceMenu } from "./menus.tsx";
import { type Destination, destinations, innerPlaces, isWithin, type Place } from "./navigation.ts";
import { NavigationSkeleton } from "./navigation-skeleton.tsx";
import { PageDrop } from "./page-drop.tsx";
import { useShortcuts } from "./shortcuts.tsx";
import { typedAhead } from "./typed-ahead.ts";

const Palette = lazily(() => import("./palette.tsx").then((module) => module.Palette));
const PaletteRehearsal = lazily(() => import("./palette.tsx").then((module) => module.PaletteRehearsal));
const ShortcutHelp = lazily(() => import("./shortcut-help.tsx").then((module) => module.ShortcutHelp));
const Sheet = lazily(() => import("#components/ui/dialog.tsx").then((module) => module.Sheet));

export function Shell({ children }: { children: ReactNode }) {
  const router = useRouter();
  const pathname = usePathname();
  const may = useMay();
  const { isPaid } = useSession();
  const [palette, setPalette] = useState<"unused" | "open" | "closed">("unused");
  const [typed] = useState(typedAhead);
  const [isRehearsed, setRehearsed] = useState(false);
  const isReady = useDeferredValue(PaletteRehearsal.useIsLoaded());
  const isRehearsing = isReady && !isRehearsed && palette === "unused";
  const [helping, setHelping] = useState(false);
  const [browsing, setBrowsing] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the sheet closes after each navigation.
  useEffect(() => setBrowsing(false), [pathname]);
  const open = useCallback(({ scope }: Place) => scope === null || may(scope), [may]);
  const places = useMemo(() => destinations.filter(open), [open]);
  const everywhere = useMemo(() => [...places, ...innerPlaces.filter(open)], [places, open]);
  const contractHere = /^\/contracts\/(ctr_[^/]+)/.exec(pathname)?.[1];
  const isSearching = palette === "open";
  const openPalette = useCallback(() => {
    if (isSearching) return;
    typed.start(() => setPalette("closed"));
    setPalette("open");
  }, [isSearching, typed]);
  const endRehearsal = useCallback(() => setRehearsed(true), []);
  const openHelp = useCallback(() => setHelping(true), []);
  const mayCreate = may("contracts:write");
  const newContract = useMemo(
    () => (mayCreate ? () => router.push("/contracts/new") : null),
    [mayCreate, router],
  );
  useLinksBlockedOffline();
  useShortcuts({ places: everywhere, openPalette, openHelp, newContract });
  return (
    <div className="md:grid print:block md:grid-cols-[14.5rem_minmax(0,1fr)]">
      <a
        href="#main"
        className="print:hidden fixed top-2 left-2 z-[70] -translate-y-16 rounded-md bg-accent px-3 py-2 font-medium text-on-accent focus:translate-y-0"
      >
        Skip to content
      </a>
      <aside className="print:hidden sticky top-0 hidden h-dvh flex-col gap-4 overflow-y-auto px-3 py-3 md:flex">
        <div className="flex items-center gap-1">
          <div className="min-w-0 flex-1">
            <WorkspaceMenu />
          </div>
          <Bell />
        </div>
        <SearchButton onClick={openPalette} />
        <Places places={places} pathname={pathname} />
        <div className="mt-auto flex items-center gap-1">
          <UserMenu />
          <IconButton label="Keyboard shortcuts" onClick={openHelp}>
            <Keyboard aria-hidden />
          </IconButton>
        </div>
      </aside>
      <header className="print:hidden sticky top-0 z-20 flex h-12 items-center gap-1 border-line border-b bg-ground px-3 md:hidden">
        <div className="min-w-0 flex-1">
          <WorkspaceMenu />
        </div>
        <Bell isLarge />
        <IconButton label="Search and actions" size="lg" onClick={openPalette}>
          <Search aria-hidden />
        </IconButton>
      </header>
      <div className="min-w-0 md:py-2 md:pr-2 print:p-0">
        <main
          id="main"
          tabIndex={-1}
          className="relative min-h-[calc(100dvh-3rem)] bg-paper pb-20 outline-none md:min-h-[calc(100dvh-1rem)] md:rounded-xl md:border md:border-line md:pb-0 print:min-h-0 print:border-0 print:pb-0"
        >
          {!isPaid && (
            <p className="border-line border-b bg-tone-warn px-4 py-2.5 text-on-warn md:rounded-t-xl">
              The workspace's subscription is not active: everything can be read, but nothing can be changed.
              An owner can change that with the operator of this server.
            </p>
          )}
          {children}
          <NavigationSkeleton />
        </main>
      </div>
      <PageDrop />
      <BottomBar places={places} pathname={pathname} onMore={() => setBrowsing(true)} />
      {browsing && (
        <Sheet open onOpenChange={setBrowsing} title="Menu" side="left">
          <div className="flex flex-1 flex-col gap-4 overflow-y-auto p-3">
            <Places places={places} pathname={pathname} />
            <div className="mt-auto">
              <UserMenu />
            </div>
          </div>
        </Sheet>
      )}
      {isRehearsing && (
        <PaletteRehearsal
          onDone={endRehearsal}
          places={everywhere}
          contractId={contractHere}
          newContract={newContract}
          openHelp={openHelp}
        />
      )}
      {palette !== "unused" && (
        <Palette
          open={palette === "open"}
          onOpenChange={(open) => setPalette(open ? "open" : "closed")}
          takeTyped={typed.take}
          places={everywhere}
          contractId={contractHere}
          newContract={newContract}
          openHelp={openHelp}
        />
      )}
      {helping && <ShortcutHelp open onOpenChange={setHelping} places={everywhere} />}
    </div>
  );
}

function SearchButton({ onClick }: { onClick(): void }) {
  return (
    <button
      type="button"
      onClick={onClick}
      className="flex h-8 items-center gap-2 rounded-md border border-line bg-paper px-2.5 text-faint shadow-low hover:text-ink"
    >
      <Search aria-hidden className="size-4" />
      <span className="flex-1 text-left">
        Search<span className="sr-only"> and actions</span>
      </span>
      <Kbd>Ctrl K</Kbd>
    </button>
  );
}

function Places({ places, pathname }: { places: Destination[]; pathname: string }) {
  return (
    <nav aria-label="Workspace">
      <ul className="grid gap-0.5">
        {places.map(({ label, href, icon: Icon }) => {
          const here = isWithin(pathname, href);
          return (
            <li key={href}>
              <NextLink
                href={href}
                prefetch={false}
                aria-current={here ? "page" : undefined}
                className={clsx(
                  "flex h-8 items-center gap-2.5 rounded-md px-2.5 font-medium max-md:h-11",
                  here ? "bg-hover text-ink" : "text-quiet hover:bg-hover hover:text-ink",
                )}
              >
                <Icon aria-hidden className={clsx("size-4", here && "text-accent")} />
                {label}
              </NextLink>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}

/** The number of entries that a thumb can reach. */
const maxInBar = 4;

function BottomBar({
  places,
  pathname,
  onMore,
}: {
  places: Destination[];
  pathname: string;
  onMore(): void;
}) {
  const item = "flex min-w-0 flex-1 flex-col items-center justify-center gap-0.5 text-2xs font-medium";
  return (
    <nav
      aria-label="Main pages"
      className="print:hidden fixed inset-x-0 bottom-0 z-20 flex h-16 border-line border-t bg-ground pb-[env(safe-area-inset-bottom)] md:hidden"
    >
      {places.slice(0, maxInBar).map(({ label, href, icon: Icon }) => {
        const here = isWithin(pathname, href);
        return (
          <NextLink
            key={href}
            href={href}
            prefetch={false}
            aria-current={here ? "page" : undefined}
            className={clsx(item, here ? "text-accent" : "text-quiet")}
          >
            <Icon aria-hidden className="size-5" strokeWidth={1.75} />
            {label}
          </NextLink>
        );
      })}
      <button type="button" onClick={onMore} className={clsx(item, "text-quiet")}>
        <MenuIcon aria-hidden className="size-5" strokeWidth={1.75} />
        More
      </button>
    </nav>
  );
}
