/** Signed-in members for tests: with a browser's cookies, but without a browser. */
import "#lib/events/listen.ts";
import { randomUUID } from "node:crypto";
import { encode } from "next-auth/jwt";
import { change } from "#lib/core/change.ts";
import type { Role } from "#lib/core/scopes.ts";
import type { InputOf, OperationName } from "#lib/doors/client.ts";
import { sessionCookieName, sessionSecret } from "#lib/doors/session-cookie.ts";
import { addMember } from "#lib/people/members/workspaces.ts";
import { openSession } from "#lib/people/users/sessions.ts";
import { saveAccount } from "#lib/people/users/users.ts";
import { accountOf, memberPassword } from "./accounts.ts";
import { expect, type Reply, type Workspace } from "./fixtures.ts";

export interface Member {
  userId: string;
  memberId: string;
  email: string;
  password: string;
}

/** Adds another person to the workspace. */
export async function newMember(
  { ctx }: Pick<Workspace, "ctx">,
  role: Role,
  name = `Mel ${role}`,
): Promise<Member> {
  const person = { email: `${role}-${randomUUID()}@test.example`, name, password: memberPassword };
  const account = await accountOf(person);
  const made = await change(ctx, async (tx) => {
    await saveAccount(tx, account, ctx.now);
    return addMember(ctx, { ...person, role });
  });
  return { ...made, email: person.email, password: person.password };
}

export interface Browser {
  /** Calls an operation at the members' door. */
  call<Name extends OperationName>(name: Name, input?: InputOf<Name>): Promise<Reply>;
  /** The same, with any body and headers. */
  post(name: string, init?: { body?: string; headers?: Record<string, string> }): Promise<Reply>;
  get(path: string, headers?: Record<string, string>): Promise<Response>;
  signIn(email: string, password: string): Promise<{ status: number; error: string | null }>;
  signOut(): Promise<void>;
  /** Starts a sign-in at a provider; returns the address that the browser is sent to. */
  goTo(provider: string, parameters?: string): Promise<string>;
  cookies: Map<string, string>;
}

/** Opens a browser that keeps its cookies, pointed at a server. */
export function openBrowser(url = process.env.BASE_URL!, cookies = new Map<string, string>()): Browser {
  const ask = async (path: string, init: RequestInit = {}) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const headers = { cookie, "accept-encoding": "identity", ...(init.headers as object) };
    const response = await fetch(url + path, { redirect: "manual", ...init, headers });
    for (const set of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(set)!;
      if (value === "" || /max-age=0|expires=thu, 01 jan 1970/i.test(set)) cookies.delete(name!);
      else cookies.set(name!, value!);
    }
    return response;
  };
  const post: Browser["post"] = async (name, { body = "{}", headers = {} } = {}) => {
    const own = { origin: url, "sec-fetch-site": "same-origin", "content-type": "application/json" };
    const response = await ask(`/api/member/${name}`, {
      method: "POST",
      body,
      headers: { ...own, ...headers },
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: text ? JSON.parse(text) : null,
    };
  };
  const auth = async (path: string, form: Record<string, string>) => {
    const { csrfToken } = await (await ask("/api/auth/csrf")).json();
    const body = new URLSearchParams({ ...form, csrfToken, json: "true" });
    return ask(`/api/auth/${path}`, { method: "POST", body, headers: { origin: url } });
  };
  return {
    cookies,
    post,
    call: (name, input) => post(name, { body: JSON.stringify(input ?? {}) }),
    get: (path, headers = {}) => ask(path, { headers }),
    async signIn(email, password) {
      const response = await auth("callback/credentials", { email, password });
      const { url: next, error } = await response.json();
      return {
        status: response.status,
        error: next === undefined ? error.code : new URL(next).searchParams.get("error"),
      };
    },
    async goTo(provider, parameters = "") {
      return (await (await auth(`signin/${provider}${parameters}`, { callbackUrl: "/" })).json()).url;
    },
    async signOut() {
      await auth("signout", {});
    },
  };
}

/** Returns a member of the workspace with a session, created as the door does after a sign-in, but without one. */
export async function signedIn(workspace: Workspace, role: Role, url?: string): Promise<Member & Browser> {
  const name = `Mel ${role}`;
  const member = await newMember(workspace, role, name);
  const person = { id: member.userId, name, email: member.email };
  const sid = await openSession(person, { requestId: null, ip: null, userAgent: "node", now: new Date() });
  const token = await encode({ token: { sid }, secret: sessionSecret() });
  return { ...member, ...openBrowser(url, new Map([[sessionCookieName(), token]])) };
}

/** Returns a member of the workspace who signed in with their password. */
export async function signedInByPassword(
  workspace: Workspace,
  role: Role,
  url?: string,
): Promise<Member & Browser> {
  const member = await newMember(workspace, role);
  const browser = openBrowser(url);
  const { error } = await browser.signIn(member.email, member.password);
  expect(error).toBeNull();
  return { ...member, ...browser };
}

/** Returns a response's status and error code, such as `403 forbidden`. */
export const code = ({ status, body }: Reply): string => `${status} ${body?.error?.code ?? ""}`.trim();
