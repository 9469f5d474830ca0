/**
 * Limits guesses, counted per account and per network. On a device where the account has signed in before, they are
 * counted only for that device, so that guesses from elsewhere do not lock out the account's owner.
 */
import { hash } from "node:crypto";
import type { Visit } from "#lib/core/context.ts";
import { settings } from "#lib/core/env.ts";
import { Refusal } from "#lib/core/errors.ts";
import { type Count, limiter } from "#lib/core/limits/limiter.ts";
import { networkOf } from "#lib/core/network.ts";
import { knownDevice } from "./devices.ts";

const windowSeconds = 15 * 60;

/** The factor for a network, which may be a whole office or a proxy. */
const perNetwork = 10;

/** The kinds of guesses, each with its own counters. The last two send an e-mail, so their limit is lower. */
export type Guess = "password" | "sign-up" | "reset";

const maxMails = 3;

const maxSignIns = 30;

/** Who makes a guess, signed in or not. */
export type Guesser = Visit & { session?: { id: string } };

/**
 * Counts a guess before it is made, so that concurrent guesses all count. Returns a function that takes it back, to
 * call when the guess was right: only wrong ones should count.
 */
export async function countGuess(
  guess: Guess,
  visit: Guesser,
  account: string | null,
): Promise<() => Promise<void>> {
  const attempts = settings().SIGN_IN_ATTEMPTS;
  if (attempts === 0) return async () => undefined;
  const known = guess === "password" && account ? knownPlace(visit, account) : null;
  const ofAccount = guess === "password" ? attempts : Math.min(attempts, maxMails);
  const counters = known
    ? [{ key: known, counter: limiter("password:device", attempts, windowSeconds) }]
    : [
        {
          key: networkOf(visit.ip),
          counter: limiter(`${guess}:network`, attempts * perNetwork, windowSeconds),
        },
        { key: account && nameOf(account), counter: limiter(`${guess}:account`, ofAccount, windowSeconds) },
      ].flatMap(({ key, counter }) => (key ? [{ key, counter }] : []));
  for (const { key, counter } of counters) {
    const count = await counter.count(key);
    if (count.isOver) throw tooMany(count);
  }
  return async () => {
    await Promise.all(counters.map(({ key, counter }) => counter.refund(key)));
  };
}

/** Limits successful sign-ins, because each creates a session and an audit event. */
export async function countSignIn(userId: string): Promise<void> {
  if (settings().SIGN_IN_ATTEMPTS === 0) return;
  const count = await limiter("sign-in:account", maxSignIns, windowSeconds).count(userId);
  if (count.isOver) throw tooMany(count);
}

/** The session or device on which the account is signed in or has signed in before; null if there is none. */
function knownPlace({ session, device, now }: Guesser, account: string): string | null {
  return session?.id ?? knownDevice(device ?? null, account, now);
}

/** The key of an account's counter: a hash, so that counters do not store addresses. */
function nameOf(email: string): string {
  return hash("sha256", email.trim().toLowerCase(), "base64url");
}

function tooMany({ msBeforeReset }: Count): Refusal {
  const seconds = Math.max(1, Math.ceil(msBeforeReset / 1000));
  const wait = seconds > 90 ? `${Math.ceil(seconds / 60)} minutes` : `${seconds} seconds`;
  return new Refusal("rate_limited", `Too many attempts. Wait ${wait}, then try again.`, {
    headers: { "retry-after": String(seconds) },
  });
}
