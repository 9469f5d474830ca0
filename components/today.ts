"use client";
import { useNow } from "#components/ui/now.tsx";
import { type Day, dayOf } from "#lib/core/dates.ts";

/** The calendar day, in UTC: while a page stands open, after midnight too. */
export const useToday = (): Day => useNow(dayAt);

const dayAt = (now: string): Day => dayOf(new Date(now));
