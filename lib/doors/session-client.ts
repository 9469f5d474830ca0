/** Starts and ends the browser's session: with a password, or at a provider. */
import { ApiProblem, problemFrom, reach } from "./client.ts";

/** Signs in with a password. Throws an ApiProblem: `forbidden` for a wrong one, `rate_limited` after many. */
export async function signIn(input: { email: string; password: string }): Promise<void> {
  const { url } = await auth("callback/credentials", input);
  const error = new URL(url, "http://any").searchParams.get("error");
  if (error !== null) throw signInProblem(error);
}

/** Goes to a provider to sign in there; comes back to `next`, a path of ours. */
export async function signInWithSso(provider: string, next = "/"): Promise<void> {
  const { url } = await auth(`signin/${encodeURIComponent(provider)}`, { callbackUrl: next });
  globalThis.location.assign(url);
}

/**
 * The address at a provider where someone without a password confirms that it is them, whether or not they are
 * signed in there. The session that asked for it is then as fresh as after a password.
 */
export async function confirmationAddress(provider: string): Promise<string> {
  const path = `signin/${encodeURIComponent(provider)}?prompt=login&max_age=0`;
  return (await auth(path, { callbackUrl: confirmedPath })).url;
}

/** Where the provider redirects back to. */
export const confirmedPath = "/identity-confirmed";

/** Ends the session. */
export async function signOut(): Promise<void> {
  await auth("signout", {});
}

async function auth(path: string, form: Record<string, string>): Promise<{ url: string }> {
  const { csrfToken } = await (await reach("/api/auth/csrf", {})).json();
  const response = await reach(`/api/auth/${path}`, {
    method: "POST",
    body: new URLSearchParams({ ...form, csrfToken, json: "true" }),
  });
  const text = await response.text();
  let url: unknown;
  try {
    ({ url } = JSON.parse(text));
  } catch {}
  if (typeof url !== "string") throw problemFrom(response, text);
  return { url };
}

/** The sign-in page's message for the `error` in its address. */
export function signInProblem(error: string): ApiProblem {
  const [code = "", seconds] = error.split(" ");
  if (code === "rate_limited") {
    const wait =
      Number(seconds) > 90 ? `${Math.ceil(Number(seconds) / 60)} minutes` : `${Number(seconds) || 1} seconds`;
    const more = { status: 429, retryAfterSeconds: Number(seconds) };
    return new ApiProblem("rate_limited", `Too many attempts. Wait ${wait}, then try again.`, more);
  }
  const message = signInMessages[code] ?? "Signing in did not work. Try again.";
  return new ApiProblem(signInMessages[code] ? "forbidden" : "internal_error", message, { status: 401 });
}

const signInMessages: Record<string, string> = {
  CredentialsSignin: "The e-mail address or the password is wrong.",
  unavailable: "The service cannot reach its database. Try again in a moment.",
  AccessDenied: "This account may not sign in here.",
  email_not_verified:
    "The other service has not verified your e-mail address. Verify it there, then try again.",
  seat_limit_reached: "The workspace that invited you has no free seat. Ask whoever invited you.",
  other_account: "You signed in there as someone else. Confirm with the account that you use here.",
  not_asked_again:
    "The other service did not ask you to sign in again, so it is not certain that it is you. Sign out there, then try again; or set a password here with “Forgot password?”.",
  no_account: "There is no account for your e-mail address here. Ask for an invitation.",
};
