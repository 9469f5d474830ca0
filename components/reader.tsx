"use client";
/**
 * Provides the member's locale and time zone, which are taken from the browser and saved on the first visit.
 */
import { type ReactNode, useEffect } from "react";
import { useAct } from "#components/query.tsx";
import { browsersReader, type Reader, ReaderContext } from "#components/ui/time.tsx";

export interface MembersReaderProps {
  locale: string | null;
  timeZone: string | null;
  children: ReactNode;
}

export function MembersReader({ locale, timeZone, children }: MembersReaderProps) {
  const { run } = useAct("profile.patch", { invalidates: ["profile"], showsErrors: false });
  const reader: Reader | null = locale !== null && timeZone !== null ? { locale, timeZone } : null;
  const isKnown = reader !== null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, if it is not known yet.
  useEffect(() => {
    // If that fails, the next visit tries again.
    if (!isKnown) void run(browsersReader()).catch(() => undefined);
  }, []);
  return <ReaderContext value={reader}>{children}</ReaderContext>;
}
