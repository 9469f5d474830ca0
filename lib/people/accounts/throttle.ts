/**
 * How often someone may guess: counted for the account that is tried, and for the network that tries. On a device
 * where the account has signed in before, only for that device: guesses from elsewhere keep no one out of their own.
 */
import { hash } from "node:crypto";
import type { Visit } from "#lib/core/context.ts";
import { settings } from "#lib/core/env.ts";
import { Refusal } from "#lib/core/errors.ts";
import { type Count, limiter } from "#lib/core/limits/limiter.ts";
import { networkOf } from "#lib/core/network.ts";
import { knownDevice } from "./devices.ts";

const windowSeconds = 15 * 60;

/** A network stands for a whole office, or for a proxy. */
const perNetwork = 10;

/** What is tried, each with counters of its own. The latter two send a mail, which no one wants ten times. */
export type Guess = "password" | "sign-up" | "reset";

const mostMails = 3;

const mostSignIns = 30;

/** Who tries: from anywhere, or signed in. */
export type Guesser = Visit & { session?: { id: string } };

/**
 * Counts a try before it is made, so that a hundred at once are a hundred. Answers how to take it back, for
 * whoever guessed right: only wrong ones are to count.
 */
export async function countTry(
  guess: Guess,
  visit: Guesser,
  account: string | null,
): Promise<() => Promise<void>> {
  const attempts = settings().SIGN_IN_ATTEMPTS;
  if (attempts === 0) return async () => undefined;
  const known = guess === "password" && account ? knownPlace(visit, account) : null;
  const ofAccount = guess === "password" ? attempts : Math.min(attempts, mostMails);
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
    await Promise.all(counters.map(({ key, counter }) => counter.takeBack(key)));
  };
}

/** Counts one that succeeded: each leaves a session, and a line in the audit log. */
export async function countSignIn(userId: string): Promise<void> {
  if (settings().SIGN_IN_ATTEMPTS === 0) return;
  const count = await limiter("sign-in:account", mostSignIns, windowSeconds).count(userId);
  if (count.isOver) throw tooMany(count);
}

/** Where the account is signed in, or has signed in before. */
function knownPlace({ session, device, now }: Guesser, account: string): string | null {
  return session?.id ?? knownDevice(device ?? null, account, now);
}

/** Counters do not collect addresses. */
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
