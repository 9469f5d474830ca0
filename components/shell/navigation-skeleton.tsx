"use client";
/**
 * Shows a skeleton from the click on a link until the next page arrives. The server sends a page only when it is
 * complete, so that it can return 404; until then, nothing else would show that the click had an effect.
 */
import { usePathname } from "next/navigation";
import { useEffect, useState } from "react";
import { useIsCutOff } from "#components/ui/connection.ts";
import { Skeleton, SkeletonRows } from "#components/ui/states.tsx";

/** The delay of the skeleton: for pages that arrive sooner, it would only flash. */
const patienceMs = 50;
/** If no page has arrived by then, the click did not lead to one. */
const longestMs = 10_000;

/** Covers the page without unmounting it: if the navigation fails, nothing that was entered is lost. */
export function NavigationSkeleton() {
  const isLeading = useIsNavigating();
  if (!isLeading) return null;
  return (
    <div className="absolute inset-0 z-10 bg-paper md:rounded-xl print:hidden">
      <div className="sticky top-12 grid gap-6 px-4 pt-5 md:top-0 md:px-6">
        <Skeleton className="h-7 w-56 max-w-full" />
        <SkeletonRows label="Loading the page" rows={10} />
      </div>
    </div>
  );
}

/** Whether a link on this page was followed and its page has not arrived yet. */
function useIsNavigating(): boolean {
  const pathname = usePathname();
  const isCutOff = useIsCutOff();
  const [from, setFrom] = useState<string | null>(null);
  useEffect(() => {
    if (isCutOff) return;
    let timers: NodeJS.Timeout[] = [];
    const stop = () => {
      for (const timer of timers) clearTimeout(timer);
      setFrom(null);
    };
    const start = (event: MouseEvent) => {
      if (!leadsAway(event, pathname)) return;
      stop();
      timers = [setTimeout(() => setFrom(pathname), patienceMs), setTimeout(stop, longestMs)];
    };
    // On the window, so that it runs last: a link that navigates itself has called preventDefault by then.
    window.addEventListener("click", start);
    window.addEventListener("popstate", stop);
    return () => {
      stop();
      window.removeEventListener("click", start);
      window.removeEventListener("popstate", stop);
    };
  }, [pathname, isCutOff]);
  return from === pathname;
}

/** Whether a click follows a link to another of our pages, in this window and without a full page load. */
function leadsAway(event: MouseEvent, pathname: string): boolean {
  const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("a[href]") : null;
  const isElsewhere = event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || event.button !== 0;
  if (!link || isElsewhere || !event.defaultPrevented || link.target || link.download) return false;
  return link.origin === window.location.origin && link.pathname !== pathname;
}
