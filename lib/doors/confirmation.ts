/**
 * Confirms the identity of people without a password at their provider: by a sign-in there with prompt=login, started
 * by a browser that is signed in here. A cookie of ours ties both ends together, by the session and the particular
 * round trip (next-auth's state), so that no other sign-in can pass for it.
 */
import { createHash } from "node:crypto";
import { decode, encode } from "next-auth/jwt";
import { confirmationCookieName, cookieIn, cookieOptions, sessionSecret } from "./session-cookie.ts";

export interface Confirmation {
  sessionId: string;
  begunAt: Date;
}

const lifetimeSeconds = 15 * 60;

/** The page on which a confirmation ends: lib/doors/session-client.ts requests it. */
export const confirmedPath = "/identity-confirmed";

/** Whether a request starts a sign-in at which the provider asks for the password again. */
export function beginsConfirmation({ method, url }: Request): boolean {
  const { pathname, searchParams } = new URL(url);
  return (
    method === "POST" &&
    pathname.startsWith("/api/auth/signin/") &&
    searchParams.get("prompt") === "login" &&
    searchParams.get("max_age") === "0"
  );
}

const digest = (text: string) => createHash("sha256").update(text).digest("base64url");

/** For set-cookie: records that this session went to confirm, in the round trip whose state the response sets. */
export async function confirmationCookie(
  answer: Response,
  sessionId: string | null,
  now: Date,
): Promise<string | null> {
  const { name, options } = cookieOptions().state;
  const set = answer.headers.getSetCookie().find((cookie) => cookie.startsWith(`${name}=`));
  const state = set && cookieIn(set.split(";", 1)[0] ?? "", name);
  if (!state || sessionId === null) return null;
  const token = { sessionId, begunAt: now.getTime(), state: digest(state) };
  const value = await encode({ token, secret: sessionSecret(), maxAge: lifetimeSeconds });
  const attributes = `Path=/; HttpOnly; SameSite=Lax; Max-Age=${lifetimeSeconds}`;
  return `${confirmationCookieName()}=${value}; ${attributes}${options.secure ? "; Secure" : ""}`;
}

/** What a request returning from the provider confirms; null if it is an ordinary sign-in. */
export async function readConfirmation(
  cookies: string | undefined,
  sessionId: string | null,
): Promise<Confirmation | null> {
  const value = cookieIn(cookies ?? "", confirmationCookieName());
  const state = cookieIn(cookies ?? "", cookieOptions().state.name);
  if (!value || !state || sessionId === null) return null;
  const token = await decode({ token: value, secret: sessionSecret() }).catch(() => null);
  if (token?.sessionId !== sessionId || token.state !== digest(state)) return null;
  return { sessionId, begunAt: new Date(Number(token.begunAt)) };
}
