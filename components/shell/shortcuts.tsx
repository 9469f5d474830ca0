"use client";
/** Keyboard shortcuts that work on every page. */
import { useRouter } from "next/navigation";
import { useEffect, useRef } from "react";
import { isForPage } from "#components/keys.ts";
import type { Place } from "./navigation.ts";

export interface ShortcutActions {
  places: Place[];
  openPalette(): void;
  openHelp(): void;
  /** Null if the member may not create contracts. */
  newContract: (() => void) | null;
}

/** How long after g the second key may be pressed. */
const pairMs = 1200;

/** Not 0, because event timestamps begin at 0 when the page loads. */
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
