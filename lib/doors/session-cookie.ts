/** The cookies of signed-in people. The session cookie holds the session's id, encrypted, and nothing else. */
import { decode } from "next-auth/jwt";
import { keyFor } from "#lib/core/encryption.ts";
import { settings } from "#lib/core/env.ts";

/** With this prefix, browsers accept the cookie only over https, from this exact host, for all of its paths. */
function nameOf(cookie: string): string {
  return isSecure() ? `__Host-countersign.${cookie}` : `countersign.${cookie}`;
}

export function isSecure(): boolean {
  return settings().BASE_URL.startsWith("https:");
}

export function sessionCookieName(): string {
  return nameOf("session");
}

/** The secret that encrypts the session cookie. */
export function sessionSecret(): string {
  return keyFor("session cookie").toString("base64");
}

/** This browser's token from earlier sign-ins. It outlives sessions: a device stays known after signing out. */
export function readDeviceCookie(header: string | undefined): string | null {
  return cookieIn(header ?? "", nameOf("device")) ?? null;
}

/** For set-cookie. */
export function deviceCookie(token: string, days: number): string {
  const maxAge = days * 24 * 60 * 60;
  const secure = isSecure() ? "; Secure" : "";
  return `${nameOf("device")}=${token}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${secure}`;
}

/** next-auth's cookies, under our names. Those of a sign-in at a provider live a quarter of an hour. */
export function cookieOptions() {
  const options = { httpOnly: true, sameSite: "lax" as const, path: "/", secure: isSecure() };
  const passing = { ...options, maxAge: 15 * 60 };
  return {
    sessionToken: { name: sessionCookieName(), options },
    callbackUrl: { name: nameOf("callback"), options },
    csrfToken: { name: nameOf("csrf"), options },
    pkceCodeVerifier: { name: nameOf("pkce"), options: passing },
    state: { name: nameOf("state"), options: passing },
    nonce: { name: nameOf("nonce"), options: passing },
  };
}

/** For someone who has gone to their provider to confirm their identity: lib/doors/confirmation.ts. */
export const confirmationCookieName = () => nameOf("confirming");

/** The session that a request's cookies name. The database knows whether it is still valid. */
export async function readSessionCookie(header: string | undefined): Promise<string | null> {
  const token = cookieIn(header ?? "", sessionCookieName());
  if (!token) return null;
  const payload = await decode({ token, secret: sessionSecret() }).catch(() => null);
  return typeof payload?.sid === "string" ? payload.sid : null;
}

export function cookieIn(header: string, name: string): string | undefined {
  const pair = header.split(";").find((part) => part.trimStart().startsWith(`${name}=`));
  return pair?.slice(pair.indexOf("=") + 1).trim();
}
