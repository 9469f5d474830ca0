"use client";
/** Days and moments as people read them. */
import { createContext, useContext, useSyncExternalStore } from "react";
import { useNow } from "./now.tsx";

/** How a reader wants dates: in which language's words and order, and in which zone. */
export interface Reader {
  locale: string;
  timeZone: string;
}

/** What is known of the reader; null: as their browser has it. */
export const ReaderContext = createContext<Reader | null>(null);

const subscribe = () => () => undefined;

/** While the server renders, a reader of whom nothing is known has no zone yet. */
const unknownReader: Reader = { locale: "en-GB", timeZone: "UTC" };

let own: Reader | undefined;

/** As the browser has it. Looked up once: a table asks for each of its rows. */
export function browsersReader(): Reader {
  own ??= { locale: navigator.language, timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone };
  return own;
}

export function useReader(): Reader {
  const known = useContext(ReaderContext);
  // The same in the browser as on the server, for a reader who is known: else all dates are drawn once more.
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

/** Making one is slow. */
function formatOf(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${locale} ${JSON.stringify(options)}`;
  const known = formats.get(key);
  if (known) return known;
  // In the calendar in which days are entered, whichever the locale would have.
  const made = new Intl.DateTimeFormat(locale, { calendar: "gregory", ...options });
  formats.set(key, made);
  return made;
}

/** A calendar day in words. */
export const dayWords = (value: string, locale: string, options: Intl.DateTimeFormatOptions = date): string =>
  formatOf(locale, { ...options, timeZone: "UTC" }).format(new Date(value));

/** A moment in words, with its zone. */
export const momentWords = (value: string, { locale, timeZone }: Reader): string =>
  formatOf(locale, { ...date, ...time, timeZone }).format(new Date(value));

/** A calendar day: the same everywhere, so without a zone. */
export function DayText({ value, empty = "–" }: { value: string | null; empty?: string }) {
  const { locale } = useReader();
  if (!value) return <span className="text-faint">{empty}</span>;
  return (
    // The server's names of months may be older or younger than the browser's.
    <time dateTime={value.slice(0, 10)} suppressHydrationWarning className="whitespace-nowrap tabular-nums">
      {dayWords(value, locale)}
    </time>
  );
}

/** A moment, in the reader's zone, which is named. */
export function DateTime({ value, className }: { value: string; className?: string }) {
  const reader = useReader();
  return (
    <time dateTime={value} suppressHydrationWarning className={className}>
      {momentWords(value, reader)}
    </time>
  );
}

let relative: Intl.RelativeTimeFormat | undefined;

/** Made by the first that needs it: most pages tell no age. */
function relatively(count: number, unit: Intl.RelativeTimeFormatUnit): string {
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

/** How long ago, in words. What came after the clock last ticked has only just happened: it is not to come. */
export function ageWords(value: string, now: string): string {
  const seconds = (Date.parse(now) - Date.parse(value)) / 1000;
  const step = steps.find(([, length]) => seconds >= length);
  return step ? relatively(-Math.trunc(seconds / step[1]), step[0]) : "just now";
}

/** How long ago, with the exact moment for whoever points at it. */
export function Ago({ value, className }: { value: string; className?: string }) {
  const reader = useReader();
  const words = useNow((now) => ageWords(value, now));
  return (
    <time dateTime={value} title={momentWords(value, reader)} suppressHydrationWarning className={className}>
      {words}
    </time>
  );
}
