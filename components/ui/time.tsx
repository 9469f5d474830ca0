"use client";
/** Formats and displays dates and times for people. */
import { createContext, useContext, useSyncExternalStore } from "react";
import { useNow } from "./now.tsx";

/** How a reader's dates are formatted: the locale, and the time zone. */
export interface Reader {
  locale: string;
  timeZone: string;
}

/** The reader's settings; null to use those of the browser. */
export const ReaderContext = createContext<Reader | null>(null);

const subscribe = () => () => undefined;

/** Used while the server renders for a reader whose settings are unknown. */
const unknownReader: Reader = { locale: "en-GB", timeZone: "UTC" };

let own: Reader | undefined;

/** Returns the browser's settings, which are read once, since a table needs them in each row. */
export function browsersReader(): Reader {
  own ??= { locale: navigator.language, timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone };
  return own;
}

export function useReader(): Reader {
  const known = useContext(ReaderContext);
  // If the settings are known, the server's rendering already uses them; otherwise, all dates are rendered
  // again after hydration.
  return useSyncExternalStore(
    subscribe,
    () => known ?? browsersReader(),
    () => known ?? unknownReader,
  );
}

export const useZone = (): string => useReader().timeZone;

const date = { day: "numeric", month: "short", year: "numeric" } as const;
const time = { hour: "2-digit", minute: "2-digit", timeZoneName: "short" } as const;
const formats = new Map<string, Intl.DateTimeFormat>();

/** Returns a cached formatter, since creating one is slow. */
function formatOf(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${locale} ${JSON.stringify(options)}`;
  const known = formats.get(key);
  if (known) return known;
  // Always Gregorian, the calendar in which dates are entered, whatever the locale's default.
  const made = new Intl.DateTimeFormat(locale, { calendar: "gregory", ...options });
  formats.set(key, made);
  return made;
}

/** Formats a calendar day. */
export const dayWords = (value: string, locale: string, options: Intl.DateTimeFormatOptions = date): string =>
  formatOf(locale, { ...options, timeZone: "UTC" }).format(new Date(value));

/** Formats a point in time, with its time zone. */
export const momentWords = (value: string, { locale, timeZone }: Reader): string =>
  formatOf(locale, { ...date, ...time, timeZone }).format(new Date(value));

/** A calendar day: the same in every time zone, so it is shown without one. */
export function DayText({ value, empty = "–" }: { value: string | null; empty?: string }) {
  const { locale } = useReader();
  if (!value) return <span className="text-faint">{empty}</span>;
  return (
    // The names of months may differ between the server's and the browser's locale data.
    <time dateTime={value.slice(0, 10)} suppressHydrationWarning className="whitespace-nowrap tabular-nums">
      {dayWords(value, locale)}
    </time>
  );
}

/** A point in time in the reader's time zone, which is shown. */
export function DateTime({ value, className }: { value: string; className?: string }) {
  const reader = useReader();
  return (
    <time dateTime={value} suppressHydrationWarning className={className}>
      {momentWords(value, reader)}
    </time>
  );
}

let relative: Intl.RelativeTimeFormat | undefined;

/** Creates its formatter on first use, since most pages show no age. */
function formatRelative(count: number, unit: Intl.RelativeTimeFormatUnit): string {
  relative ??= new Intl.RelativeTimeFormat("en", { numeric: "auto" });
  return relative.format(count, unit);
}

const steps: [Intl.RelativeTimeFormatUnit, number][] = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["week", 604_800],
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
];

/**
 * Formats how long ago something was. A time ahead of the page's clock, which ticks once a minute, is "just
 * now".
 */
export function ageWords(value: string, now: string): string {
  const seconds = (Date.parse(now) - Date.parse(value)) / 1000;
  const step = steps.find(([, length]) => seconds >= length);
  return step ? formatRelative(-Math.trunc(seconds / step[1]), step[0]) : "just now";
}

/** How long ago something was, with the exact time in the tooltip. */
export function Ago({ value, className }: { value: string; className?: string }) {
  const reader = useReader();
  const words = useNow((now) => ageWords(value, now));
  return (
    <time dateTime={value} title={momentWords(value, reader)} suppressHydrationWarning className={className}>
      {words}
    </time>
  );
}
