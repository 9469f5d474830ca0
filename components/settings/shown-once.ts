"use client";
import { useState } from "react";
import { useMounted } from "#components/mounted.ts";
import { useToast } from "#components/ui/toast.tsx";

/** What to say where a secret came too late. */
export interface Missed {
  title: string;
  /** How to get another one. */
  detail: string;
}

/** A secret that a page shows once. Whoever has left the page before it came is told, and how to get another. */
export function useShownOnce<Secret>(missed: Missed) {
  const isOpen = useMounted();
  const toast = useToast();
  const [shown, setShown] = useState<Secret | null>(null);
  const show = (secret: Secret) => {
    if (isOpen.current) setShown(secret);
    else toast({ tone: "failed", ...missed });
  };
  return { shown, show, close: () => setShown(null) };
}
