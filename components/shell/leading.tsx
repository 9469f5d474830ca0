"use client";
/**
 * From the click on a link until the next page is there, its skeleton: a page is answered whole, with 404 where it is
 * not there, and until then nothing else would tell that the click was heard.
 */
import { usePathname } from "next/navigation";
import { useEffect, useState } from "react";
import { useIsCutOff } from "#components/ui/connection.ts";
import { Skeleton, SkeletonRows } from "#components/ui/states.tsx";

/** What is there sooner comes without a skeleton, which would only flash. */
const patienceMs = 50;
/** Where nothing has come by then, something else became of the click. */
const longestMs = 10_000;

/** Lies over the page, which stays as it is: where the link leads nowhere, nothing that was entered is gone. */
export function Leading() {
  const isLeading = useIsLeading();
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

/** Whether a link was followed from this page and has not led anywhere yet. */
function useIsLeading(): boolean {
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
    // After everyone else: what a link does itself, the browser is kept from doing.
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

/** Whether a click follows a link to another of our pages, in this window and without loading it anew. */
function leadsAway(event: MouseEvent, pathname: string): boolean {
  const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("a[href]") : null;
  const isElsewhere = event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || event.button !== 0;
  if (!link || isElsewhere || !event.defaultPrevented || link.target || link.download) return false;
  return link.origin === window.location.origin && link.pathname !== pathname;
}
