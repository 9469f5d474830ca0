/** Assistants that someone connects, for tests: the program, and the browser in which its user consents. */
import { createHash, randomBytes } from "node:crypto";
import { newClientId, saveClient } from "#lib/assistants/clients.ts";
import type { AssistantScope, Role } from "#lib/core/scopes.ts";
import { expect, type Workspace } from "./fixtures.ts";
import { type Browser, code, type Member, signedIn } from "./members.ts";

export const redirect = "https://assistant.example/callback";

/** Registers a program directly, because registrations over HTTP are limited per address. */
export async function newProgram(metadata: Record<string, unknown> = {}): Promise<string> {
  const id = newClientId();
  await saveClient(id, { client_id: id, client_name: "Claude", redirect_uris: [redirect], ...metadata });
  return id;
}

export function newVerifier() {
  const verifier = randomBytes(32).toString("base64url");
  return { verifier, challenge: createHash("sha256").update(verifier).digest("base64url") };
}

const base = () => process.env.BASE_URL!;

/** Returns the address to which a program sends its user. Null omits a parameter. */
export function authorizeUrl(
  clientId: string,
  challenge: string,
  parameters: Record<string, string | null> = {},
): string {
  const all: Record<string, string | null> = {
    ...{ response_type: "code", client_id: clientId, redirect_uri: redirect, state: "st-4711" },
    ...{ code_challenge: challenge, code_challenge_method: "S256", resource: `${base()}/mcp` },
    ...parameters,
  };
  const given = Object.entries(all).filter((pair): pair is [string, string] => pair[1] !== null);
  return `/oauth/authorize?${new URLSearchParams(given)}`;
}

/** Sends a browser to the consent page. Returns the request's id. */
export async function begin(browser: Browser, path: string): Promise<string> {
  const response = await browser.get(path);
  expect(response.status, await response.clone().text()).toBe(303);
  const [, request] = /^\/connect\/([\w-]+)$/.exec(response.headers.get("location")!) ?? [];
  expect(request, response.headers.get("location")!).toBeTruthy();
  return request!;
}

/** Follows the redirect back to the program. Returns the address, with the result in it. */
export async function finish(browser: Browser, returnTo: string): Promise<URL> {
  const { pathname } = new URL(returnTo);
  expect(pathname).toMatch(/^\/oauth\/authorize\/[\w-]+$/);
  const response = await browser.get(pathname);
  expect(response.status, await response.clone().text()).toBe(303);
  return new URL(response.headers.get("location")!);
}

export async function postForm(path: string, form: Record<string, string>, url = base()) {
  const response = await fetch(url + path, { method: "POST", body: new URLSearchParams(form) });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text ? JSON.parse(text) : null };
}

export const redeem = (clientId: string, given: string, verifier: string, more = {}, url = base()) => {
  const proof = { code: given, redirect_uri: redirect, code_verifier: verifier };
  return postForm(
    "/oauth/token",
    { grant_type: "authorization_code", client_id: clientId, ...proof, ...more },
    url,
  );
};

export const refresh = (clientId: string, token: string, more = {}, url = base()) =>
  postForm(
    "/oauth/token",
    { grant_type: "refresh_token", refresh_token: token, client_id: clientId, ...more },
    url,
  );

export interface Connected {
  clientId: string;
  /** The authorization code, already redeemed. */
  code: string;
  verifier: string;
  access: string;
  refresh: string;
  scope: string;
}

/** Lets a program request access and the user allow `scopes`; returns the authorization code. */
export async function consent(
  browser: Browser,
  workspace: Pick<Workspace, "organizationId">,
  scopes: AssistantScope[],
  clientId: string,
  parameters: Record<string, string | null> = {},
) {
  const { verifier, challenge } = newVerifier();
  const request = await begin(browser, authorizeUrl(clientId, challenge, parameters));
  const opened = await browser.call("assistantRequests.open", { request });
  expect(opened.status, opened.text).toBe(200);
  const { organizationId } = workspace;
  const approved = await browser.call("assistantRequests.approve", { request, organizationId, scopes });
  expect(code(approved), approved.text).toBe("200");
  const told = await finish(browser, approved.body.returnTo);
  return { verifier, request, told, code: told.searchParams.get("code")! };
}

/** Runs the whole flow, from a registered program to its tokens. */
export async function connect(
  browser: Browser,
  workspace: Pick<Workspace, "organizationId">,
  scopes: AssistantScope[] = ["contracts:read"],
  { program, url = base() }: { program?: string; url?: string } = {},
): Promise<Connected> {
  const clientId = program ?? (await newProgram());
  const asking = { resource: `${url}/mcp` };
  const { code: given, verifier } = await consent(browser, workspace, scopes, clientId, asking);
  const { status, body } = await redeem(clientId, given, verifier, {}, url);
  expect(status, JSON.stringify(body)).toBe(200);
  const { access_token: access, refresh_token: next, scope } = body;
  return { clientId, code: given, verifier, access, refresh: next, scope };
}

/** Returns a member of the workspace with a browser, and their connected assistant. */
export async function connected(
  workspace: Workspace,
  scopes?: AssistantScope[],
  role: Role = "member",
): Promise<Connected & { person: Member & Browser }> {
  const person = await signedIn(workspace, role);
  return { person, ...(await connect(person, workspace, scopes)) };
}
