"use client";
import { parseAsBoolean, useQueryState } from "nuqs";
import { useEffect, useEffectEvent } from "react";

/**
 * Opens a page's dialog when its address ends in `?add=true`, as the palette's does, and takes that off the address:
 * the dialog then is the page's own, and may lead elsewhere when it is done.
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
