"use client";
import { parseAsBoolean, useQueryState } from "nuqs";
import { useEffect, useEffectEvent } from "react";

/**
 * Opens a page's dialog if the address has `?add=true`, as in the command palette's links, and removes the
 * parameter. The dialog is then like one opened on the page, and may navigate elsewhere when it is done.
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
