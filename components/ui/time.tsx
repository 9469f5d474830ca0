"use client";
/** Days, moments and money as people read them. */
import { useSyncExternalStore } from "react";

const day = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  year: "numeric",
  timeZone: "UTC",
});

/** A calendar day: the same everywhere, so without a zone. */
export function DayText({ value, empty = "–" }: { value: string | null; empty?: string }) {
  if (!value) return <span className="text-faint">{empty}</span>;
  return (
    <time dateTime={value.slice(0, 10)} className="whitespace-nowrap tabular-nums">
      {day.format(new Date(value))}
    </time>
  );
}

const subscribe = () => () => undefined;

let ownZone: string | undefined;

/** Looked up once: a table asks for each of its rows. */
function zoneHere(): string {
  ownZone ??= Intl.DateTimeFormat().resolvedOptions().timeZone;
  return ownZone;
}

/** The reader's zone; while the server renders it is not known, and UTC stands there. */
export function useZone(): string {
  return useSyncExternalStore(subscribe, zoneHere, () => "UTC");
}

const formats = new Map<string, Intl.DateTimeFormat>();

function momentIn(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known) return known;
  const made = new Intl.DateTimeFormat("en-GB", {
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    timeZone: zone,
    timeZoneName: "short",
  });
  formats.set(zone, made);
  return made;
}

/** A moment, in the reader's zone, which is named. */
export function DateTime({ value, className }: { value: string; className?: string }) {
  const zone = useZone();
  return (
    <time dateTime={value} className={className}>
      {momentIn(zone).format(new Date(value))}
    </time>
  );
}

const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
const steps: [Intl.RelativeTimeFormatUnit, number][] = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["week", 604_800],
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
];

/** How long ago, with the exact moment for whoever points at it. */
export function Ago({ value, now, className }: { value: string; now: string; className?: string }) {
  const zone = useZone();
  const seconds = (new Date(value).getTime() - new Date(now).getTime()) / 1000;
  const [unit, size] = steps.find(([, length]) => Math.abs(seconds) >= length) ?? ["minute", 60];
  return (
    <time dateTime={value} title={momentIn(zone).format(new Date(value))} className={className}>
      {Math.abs(seconds) < 60 ? "just now" : relative.format(Math.trunc(seconds / size), unit)}
    </time>
  );
}

const amounts = new Map<string, Intl.NumberFormat>();

/** How amounts of a currency are written; with as many decimals as it has, unless told. Making one is slow. */
function amountIn(currency: string, digits?: number): Intl.NumberFormat {
  const key = `${currency} ${digits ?? ""}`;
  const known = amounts.get(key);
  if (known) return known;
  const decimals =
    digits === undefined ? {} : { minimumFractionDigits: digits, maximumFractionDigits: digits };
  const made = new Intl.NumberFormat("en", { style: "currency", currency, ...decimals });
  amounts.set(key, made);
  return made;
}

/** Minor units as money: whole amounts without their cents. */
export function moneyText(cents: string, currency: string): string {
  const digits = amountIn(currency).resolvedOptions().maximumFractionDigits ?? 2;
  const padded = cents.padStart(digits + 1, "0");
  const units = padded.slice(0, padded.length - digits);
  const rest = digits > 0 ? padded.slice(-digits) : "";
  const bare = /^0*$/.test(rest);
  const amount = bare ? units : `${units}.${rest}`;
  return amountIn(currency, bare ? 0 : digits).format(amount as unknown as number);
}

export function Money({
  cents,
  currency,
  empty = "–",
}: {
  cents: string | null;
  currency: string | null;
  empty?: string;
}) {
  if (cents === null || currency === null) return <span className="text-faint">{empty}</span>;
  return <span className="whitespace-nowrap tabular-nums">{moneyText(cents, currency)}</span>;
}
