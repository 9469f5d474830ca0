/**
 * Devices on which someone has signed in before. Each stores a signed token by which it is recognized, so that guesses
 * from elsewhere, which use up the account's attempts, do not lock out its owner. A token does not sign anyone in.
 */
import { randomBytes, timingSafeEqual } from "node:crypto";
import { mac } from "#lib/core/encryption.ts";

export const deviceDays = 365;

/** How many people who share a browser are remembered: the most recent ones. */
const most = 5;

interface Entry {
  /** Seconds since 1970. */
  since: number;
  id: string;
  signature: string;
}

/** Returns the new token of a device on which the account has just signed in; `before` is the one that it sent. */
export function rememberDevice(before: string | null, email: string, now: Date): string {
  const known = entryFor(before, email, now);
  const id = known?.id ?? randomBytes(16).toString("base64url");
  const since = Math.floor(now.getTime() / 1000);
  const entry = { since, id, signature: signatureOf(email, since, id) };
  const others = entriesOf(before).filter((one) => one.signature !== known?.signature);
  return [entry, ...others]
    .slice(0, most)
    .map(({ since, id, signature }) => `${since}.${id}.${signature}`)
    .join("~");
}

/** The id of the device if the account has signed in on it; else null. */
export function knownDevice(token: string | null, email: string, now: Date): string | null {
  return entryFor(token, email, now)?.id ?? null;
}

function entryFor(token: string | null, email: string, now: Date): Entry | undefined {
  return entriesOf(token).find(({ since, id, signature }) => {
    const age = now.getTime() / 1000 - since;
    return age < deviceDays * 86_400 && isSame(signature, signatureOf(email, since, id));
  });
}

function entriesOf(token: string | null): Entry[] {
  const written = (token ?? "")
    .split("~", most)
    .map((entry) => /^(\d{1,12})\.([\w-]{22})\.([\w-]{43})$/.exec(entry));
  return written.flatMap((match) => {
    const [, since, id, signature] = match ?? [];
    return since && id && signature ? [{ since: Number(since), id, signature }] : [];
  });
}

function signatureOf(email: string, since: number, id: string): string {
  return mac(JSON.stringify([email.trim().toLowerCase(), since, id]), "known device").toString("base64url");
}

function isSame(given: string, expected: string): boolean {
  return given.length === expected.length && timingSafeEqual(Buffer.from(given), Buffer.from(expected));
}
