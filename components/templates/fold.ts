"use client";
import { type SyntheticEvent, useEffect, useState } from "react";

/** What a `details` is told: it opens when something in it wants to be seen, and closes by hand alone. */
export function useFold(wantsOpen: boolean) {
  const [open, setOpen] = useState(wantsOpen);
  useEffect(() => {
    if (wantsOpen) setOpen(true);
  }, [wantsOpen]);
  const onToggle = (event: SyntheticEvent<HTMLDetailsElement>) => setOpen(event.currentTarget.open);
  return { open, onToggle };
}
