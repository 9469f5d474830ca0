"use client";
/** Keys that work everywhere. */
import { useRouter } from "next/navigation";
import { useEffect, useRef } from "react";
import { isForPage } from "#components/keys.ts";
import type { Place } from "./navigation.ts";

export interface ShortcutActions {
  places: Place[];
  openPalette(): void;
  openHelp(): void;
  /** Null where the member may not make contracts. */
  newContract: (() => void) | null;
}

/** How long after g its second key may come. */
const pairMs = 1200;

/** A page's first moments count from 0, too. */
const never = Number.NEGATIVE_INFINITY;

export function useShortcuts({ places, openPalette, openHelp, newContract }: ShortcutActions): void {
  const router = useRouter();
  const leader = useRef(never);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
        event.preventDefault();
        openPalette();
        return;
      }
      if (!isForPage(event)) return;
      const paired = event.timeStamp - leader.current < pairMs;
      leader.current = event.key === "g" && !paired ? event.timeStamp : never;
      const to = paired && places.find(({ key }) => key === event.key);
      if (to) router.push(to.href);
      else if (event.key === "?") openHelp();
      else if (event.key === "n" && newContract) newContract();
      else if (event.key === "/") focusSearch();
      else return;
      event.preventDefault();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [router, places, openPalette, openHelp, newContract]);
}

function focusSearch(): void {
  document.querySelector<HTMLInputElement>("main [data-search]")?.focus();
}
