"use client";
import { type SyntheticEvent, useEffect, useState } from "react";

/** Controls a `details` element: it opens when its content needs attention, and only the user closes it. */
export function useFold(wantsOpen: boolean) {
  const [open, setOpen] = useState(wantsOpen);
  useEffect(() => {
    if (wantsOpen) setOpen(true);
  }, [wantsOpen]);
  const onToggle = (event: SyntheticEvent<HTMLDetailsElement>) => setOpen(event.currentTarget.open);
  return { open, onToggle };
}
