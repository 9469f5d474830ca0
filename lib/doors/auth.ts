/**
 * Signing in and out over HTTP, by next-auth. It only keeps an encrypted cookie with the id of a session of ours, whose
 * validity is checked with every request.
 */

import { randomUUID } from "node:crypto";
import type { NextRequest } from "next/server";
import type { AuthOptions, User } from "next-auth";
import { clock } from "#lib/core/clock.ts";
import type { Visit } from "#lib/core/context.ts";
import { provideAuthUrl } from "#lib/core/env.ts";
import { type Refusal, statusOf } from "#lib/core/errors.ts";
import { trackEffect } from "#lib/core/execute.ts";
import { log } from "#lib/core/log.ts";
import { foreignHost, isOwnHost } from "#lib/http/host.ts";
import { addressHeader } from "#lib/http/proxy.ts";
import { commonHeaders, errorResponse, refusalOf } from "#lib/http/respond.ts";
import { refuseForeign } from "#lib/http/same-origin.ts";
import { deviceDays, rememberDevice } from "#lib/people/accounts/devices.ts";
import { SignIn } from "#lib/people/accounts/schema.ts";
import { signIn } from "#lib/people/accounts/sign-in.ts";
import { confirmWithSso, type Profile, SignInRejected, signInWithSso } from "#lib/people/accounts/sso.ts";
import { findSession, sessionDays, signOut } from "#lib/people/users/sessions.ts";
import { visitOf } from "./admit.ts";
import { type Claims, Credentials, NextAuth, ssoProviders } from "./auth-providers.ts";
import {
  beginsConfirmation,
  type Confirmation,
  confirmationCookie,
  confirmedPath,
  readConfirmation,
} from "./confirmation.ts";
import { cookieOptions, deviceCookie, isSecure, readSessionCookie, sessionSecret } from "./session-cookie.ts";

/** A form with an address and a password is small; next-auth would read any size. */
const bodyLimitBytes = 32 * 1024;

/** next-auth would also let anyone write into its log, and show its own pages. */
const actions = new Set(["providers", "csrf", "session", "signin", "callback", "signout", "error"]);

/** The outcome of a request, besides its response. */
interface Outcome {
  requestId: string;
  /** Who has just signed in. */
  email?: string | undefined;
  /** Why a password was not even looked at. */
  refusal?: Refusal;
  /** An error after which next-auth continues as if nobody were signed in. */
  failure?: unknown;
}

/** Responds below /api/auth. `nextauth` are the remaining parts of the path. */
export async function answerAuth(
  request: NextRequest,
  { nextauth }: Record<string, string | string[]>,
): Promise<Response> {
  const header = (name: string) => request.headers.get(name) ?? undefined;
  const caller = { method: request.method, header, ip: header(addressHeader) ?? null, now: clock() };
  const [action = ""] = new URL(request.url).pathname.split("/").slice(3);
  if (!actions.has(action)) return textResponse(404, "There is nothing here.");
  if (!isOwnHost(header("host"))) return textResponse(421, foreignHost());
  if (request.method === "POST") {
    const length = Number(header("content-length") ?? Number.NaN);
    if (!(length <= bodyLimitBytes)) return textResponse(413, "The form is too large.");
    try {
      refuseForeign(header);
    } catch (error) {
      return textResponse(403, (error as Error).message);
    }
  }
  provideAuthUrl();
  const outcome: Outcome = { requestId: randomUUID() };
  const visit = visitOf({ ...caller, requestId: outcome.requestId });
  const before = await readSessionCookie(header("cookie"));
  const confirming = await readConfirmation(header("cookie"), before);
  const options = optionsFor(visit, before, confirming, outcome);
  const answer: Response | null = await NextAuth(request, pathOf(nextauth), options).catch(
    (error: unknown) => {
      outcome.failure ??= error;
      return null;
    },
  );
  if (answer === null || outcome.failure) return failed(outcome);
  const { refusal } = outcome;
  for (const [name, value] of Object.entries({ ...commonHeaders(), ...refusal?.headers })) {
    answer.headers.set(name, value);
  }
  if (refusal) return new Response(answer.body, { status: statusOf[refusal.code], headers: answer.headers });
  if (outcome.email) {
    const device = rememberDevice(visit.device ?? null, outcome.email, visit.now);
    answer.headers.append("set-cookie", deviceCookie(device, deviceDays));
  }
  const begun = beginsConfirmation(request) ? await confirmationCookie(answer, before, visit.now) : null;
  if (begun) answer.headers.append("set-cookie", begun);
  return answer;
}

/** In the form in which Next passes it to next-auth. */
const pathOf = (parts: string | string[] = []) => ({ params: { nextauth: [parts].flat() } });

const textResponse = (status: number, text: string) => {
  const headers = { ...commonHeaders(), "content-type": "text/plain; charset=utf-8" };
  return new Response(`${text}\n`, { status, headers });
};

/** If the session could not be looked up, it is not treated as ended, and its cookie is kept. */
function failed({ failure, requestId }: Outcome): Response {
  const { status, headers, body } = errorResponse(
    failure,
    { ...commonHeaders(), "x-request-id": requestId },
    requestId,
  );
  return new Response(body as string, { status, headers });
}

/** What a sign-in passes on for making the cookie. */
type SignedInUser = User & { sessionId: string };

/** Per request, because next-auth's callbacks do not get the request's origin or its previous session. */
function optionsFor(
  visit: Visit,
  before: string | null,
  confirming: Confirmation | null,
  outcome: Outcome,
): AuthOptions {
  const telling = <T>(work: Promise<T>) =>
    work.catch((error) => {
      outcome.failure = error;
      throw error;
    });
  return {
    secret: sessionSecret(),
    useSecureCookies: isSecure(),
    cookies: cookieOptions(),
    session: { strategy: "jwt", maxAge: sessionDays * 24 * 60 * 60 },
    pages: { signIn: "/sign-in", error: "/sign-in", signOut: "/sign-in" },
    providers: [withPassword(visit, outcome), ...ssoProviders()],
    callbacks: {
      async signIn({ user, account, profile }) {
        if (account?.type !== "oauth") return true;
        const found = profileFrom(profile as Claims);
        const session = confirming ? await findSession(confirming.sessionId) : undefined;
        try {
          if (confirming && session) {
            const { begunAt } = confirming;
            const saysWhen = account.provider !== "google";
            await confirmWithSso(found, session, { begunAt, saysWhen, now: visit.now });
            Object.assign(user, { sessionId: session.id });
          } else {
            Object.assign(user, { sessionId: await signInWithSso(found, visit) });
            outcome.email = found.email ?? undefined;
          }
          return true;
        } catch (error) {
          if (session) return `${confirmedPath}?error=${encodeURIComponent(codeOf(error, visit))}`;
          return `/sign-in?error=${encodeURIComponent(codeOf(error, visit))}`;
        }
      },
      async jwt({ token, user }) {
        const sid = (user as SignedInUser | undefined)?.sessionId ?? token.sid;
        if (typeof sid !== "string" || !(await telling(findSession(sid))))
          throw new Error("The session has ended.");
        return { sid };
      },
      async session({ session, token }) {
        const found = await telling(findSession(String(token.sid)));
        return { expires: session.expires, user: { name: found?.user.name, email: found?.user.email } };
      },
    },
    events: {
      async signIn({ user }) {
        if (before === null || before === (user as SignedInUser).sessionId) return;
        await telling(trackEffect(() => signOut(before)));
      },
      async signOut({ token }) {
        if (typeof token?.sid === "string") await telling(trackEffect(() => signOut(String(token.sid))));
      },
    },
    logger: {
      error: (code) => log().info({ code }, "sign-in"),
      warn: () => undefined,
      debug: () => undefined,
    },
  };
}

function withPassword(visit: Visit, outcome: Outcome) {
  return Credentials({
    credentials: { email: { type: "email" }, password: { type: "password" } },
    async authorize(given): Promise<SignedInUser | null> {
      const input = SignIn.safeParse(given);
      if (!input.success) return null;
      try {
        const sessionId = await signIn(input.data, visit);
        outcome.email = input.data.email;
        return { id: sessionId, sessionId };
      } catch (error) {
        const refusal = refusalOf(error, outcome.requestId);
        if (refusal.code === "rate_limited" || refusal.code === "unavailable") outcome.refusal = refusal;
        throw new Error(codeOf(refusal, visit));
      }
    },
  });
}

function profileFrom({ email, email_verified, name, auth_time: seconds }: Claims): Profile {
  const isEmailVerified = email_verified === true || email_verified === "true";
  const authenticatedAt = typeof seconds === "number" ? new Date(seconds * 1000) : null;
  return { email: email ?? null, isEmailVerified, name: name ?? null, authenticatedAt };
}

/** The reason for the sign-in page's address: a code, never a text that others could write. */
function codeOf(error: unknown, { requestId }: Visit): string {
  if (error instanceof SignInRejected) return error.code;
  const { code, headers } = refusalOf(error, requestId ?? "");
  return code === "forbidden" ? "CredentialsSignin" : [code, headers["retry-after"] ?? ""].join(" ").trim();
}
