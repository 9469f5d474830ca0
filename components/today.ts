"use client";
import { useNow } from "#components/ui/now.tsx";
import { type Day, dayOf } from "#lib/core/dates.ts";

/** The current date in UTC. It changes at midnight while a page is open. */
export const useToday = (): Day => useNow(dayAt);

const dayAt = (now: string): Day => dayOf(new Date(now));
