"use client";
import { parseAsBoolean, useQueryState } from "nuqs";
import { useEffect, useEffectEvent } from "react";

/**
 * Opens a page's dialog if its address has `?add=true`, like the palette's entries, and removes that from the address:
 * the dialog is then the page's own, and may navigate elsewhere when it is done.
 */
export function useOpenedByAddress(open: () => void): void {
  const [isAsked, setAsked] = useQueryState("add", parseAsBoolean.withDefault(false));
  const openNow = useEffectEvent(open);
  useEffect(() => {
    if (!isAsked) return;
    openNow();
    void setAsked(null);
  }, [isAsked, setAsked]);
}
