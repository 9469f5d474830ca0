"use client";
import { useState } from "react";
import { useMounted } from "#components/mounted.ts";
import { useToast } from "#components/ui/toast.tsx";

/** The message for a secret that arrived too late. */
export interface Missed {
  title: string;
  /** How to get another one. */
  detail: string;
}

/**
 * Holds a secret while it is shown, once. If it arrives after the user has left the page, a toast says so,
 * and how to get another one.
 */
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
