"use client";
import { useNow } from "#components/ui/now.tsx";
import { type Day, dayOf } from "#lib/core/dates.ts";

/** Returns the current date in UTC, and rerenders when it changes at midnight. */
export const useToday = (): Day => useNow(dayAt);

const dayAt = (now: string): Day => dayOf(new Date(now));
