/** Attacks on how assistants are connected: stolen codes and tokens, forged consent, addresses of internal servers. */
import { request } from "node:http";
import { createServer } from "node:net";
import pg from "pg";
import { artifactHash } from "#lib/assistants/artifacts.ts";
import { findGrant } from "#lib/assistants/tokens.ts";
import {
  authorizeUrl,
  begin,
  connect,
  connected,
  consent,
  newProgram,
  newVerifier,
  postForm,
  redeem,
  redirect,
  refresh,
} from "../assistants.ts";
import { expect, test } from "../fixtures.ts";
import { code, openBrowser, signedIn } from "../members.ts";
import { startServer } from "../server.ts";

const base = () => process.env.BASE_URL!;

async function select(sql: string, values: unknown[] = []) {
  const client = new pg.Client({ connectionString: process.env.DATABASE_URL });
  await client.connect();
  try {
    return (await client.query(sql, values)).rows;
  } finally {
    await client.end();
  }
}

/** Returns the outcome of an authorization request: the error sent to the program, or the status of an error page. */
async function outcome(path: string): Promise<string | number> {
  const response = await openBrowser().get(path);
  const location = response.headers.get("location");
  if (!location) return response.status;
  return new URL(location, base()).searchParams.get("error") ?? location;
}

/** Returns the status of a page requested with another Host header, which fetch cannot send. */
const statusUnder = (host: string, path: string) =>
  new Promise<number>((resolve, reject) => {
    const asking = request(base() + path, { headers: { host } }, (response) => {
      response.resume();
      resolve(response.statusCode!);
    });
    asking.on("error", reject).end();
  });

test("reusing an authorization code revokes every token issued from it", async ({ workspace }) => {
  const one = await connected(workspace);
  const again = await redeem(one.clientId, one.code, one.verifier);
  expect([again.status, again.body.error]).toEqual([400, "invalid_grant"]);
  expect(await findGrant(one.access)).toBeUndefined();
  expect((await refresh(one.clientId, one.refresh)).status).toBe(400);
  const { body } = await workspace.api("GET /audit-events?action=ASSISTANT_REVOKED");
  expect(body.data).toMatchObject([
    { payload: { reason: "A code or refresh token was used a second time" } },
  ]);
});

test("concurrent redemptions of one authorization code leave no valid access token", async ({
  workspace,
}) => {
  const clientId = await newProgram();
  const person = await signedIn(workspace, "member");
  const { code: given, verifier } = await consent(person, workspace, ["contracts:read"], clientId);
  const both = await Promise.all([1, 2, 3].map(() => redeem(clientId, given, verifier)));
  expect(both.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
  for (const { body } of both) {
    if (body.access_token) expect(await findGrant(body.access_token)).toBeUndefined();
  }
});

test("a refresh token works once, and reusing it revokes its whole token family", async ({ workspace }) => {
  const one = await connected(workspace);
  const second = await refresh(one.clientId, one.refresh);
  expect(await findGrant(second.body.access_token)).toBeDefined();
  const stolen = await refresh(one.clientId, one.refresh);
  expect([stolen.status, stolen.body.error]).toEqual([400, "invalid_grant"]);
  expect(await findGrant(second.body.access_token)).toBeUndefined();
  expect((await refresh(one.clientId, second.body.refresh_token)).status).toBe(400);
});

test("an OAuth client gets 429 after 60 token refreshes, and its access token stays valid", async ({
  workspace,
}) => {
  const { clientId, ...one } = await connected(workspace);
  let token = one.refresh;
  for (let time = 1; time <= 60; time++) token = (await refresh(clientId, token)).body.refresh_token;
  const over = await refresh(clientId, token);
  expect([over.status, over.body.error]).toEqual([429, "invalid_request"]);
  expect(await findGrant(one.access)).toBeDefined();
});

test("an authorization code is bound to its client, redirect URI, PKCE verifier and resource", async ({
  workspace,
}) => {
  const clientId = await newProgram({ redirect_uris: [redirect, `${redirect}/other`] });
  const person = await signedIn(workspace, "member");
  const { code: given, verifier } = await consent(person, workspace, ["contracts:read"], clientId);
  const wrong = [
    await redeem(clientId, given, verifier, { redirect_uri: `${redirect}/other` }),
    await redeem(clientId, given, newVerifier().verifier),
    await redeem(clientId, given, ""),
    await redeem(await newProgram(), given, verifier),
    await redeem(clientId, given, verifier, { resource: "https://other.example/mcp" }),
  ];
  expect(wrong.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400]);
});

test("authorization requests without S256 PKCE, with response_type=token or for another resource are refused", async () => {
  const clientId = await newProgram();
  const { verifier, challenge } = newVerifier();
  const ask = (parameters: Record<string, string | null>) =>
    outcome(authorizeUrl(clientId, challenge, parameters));
  expect(await ask({ code_challenge: null, code_challenge_method: null })).toBe("invalid_request");
  expect(await ask({ code_challenge: verifier, code_challenge_method: "plain" })).toBe("invalid_request");
  expect(await ask({ code_challenge_method: null })).toBe("invalid_request");
  for (const resource of ["https://other.example/mcp", `${base()}/mcp/deeper`, base(), `${base()}/api/v1`]) {
    expect(await ask({ resource }), resource).toBe("invalid_target");
  }
  expect(await ask({ response_type: "token" })).not.toMatch(/^\/connect/);
  expect(await ask({ resource: null })).toMatch(/^\/connect/);
});

test("an unregistered redirect URI is never followed, and its error page runs no script", async () => {
  const path = authorizeUrl(await newProgram(), newVerifier().challenge, {
    redirect_uri: "https://evil.example/<script>alert(1)</script>",
    state: "<script>alert(1)</script>",
  });
  const response = await openBrowser().get(path);
  expect([response.status, response.headers.get("location")]).toEqual([400, null]);
  expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
  expect(await response.text()).not.toContain("<script");
});

test("an access token is limited to its workspace and its member's current role, and ends with the membership", async ({
  workspace,
  other,
}) => {
  const owner = await signedIn(workspace, "owner");
  await owner.call("assistants.setPolicy", { policy: "as_granted" });
  const one = await connected(workspace, ["contracts:read", "contracts:write", "search:read"]);
  expect((await findGrant(one.access))?.organizationId).not.toBe(other.organizationId);
  const { memberId } = one.person;
  await owner.call("members.setRole", { memberId, role: "viewer" });
  expect(await findGrant(one.access)).toMatchObject({
    role: "viewer",
    scopes: ["contracts:read", "search:read"],
    granted: ["contracts:read", "contracts:write", "search:read"],
  });
  await owner.call("members.remove", { memberId });
  expect(await findGrant(one.access)).toBeUndefined();
});

test("refresh tokens, authorization codes and altered access tokens give no access", async ({
  workspace,
}) => {
  const one = await connected(workspace);
  for (const token of [
    one.refresh,
    one.code,
    "",
    "x".repeat(43),
    one.access.toLowerCase(),
    `${one.access} `,
  ]) {
    expect(await findGrant(token), token).toBeUndefined();
  }
  expect(await findGrant(one.access)).toBeDefined();
});

test("consent requires a same-origin request from the session that opened it, and takes effect once", async ({
  workspace,
}) => {
  const person = await signedIn(workspace, "member");
  const clientId = await newProgram();
  const ask = () => begin(person, authorizeUrl(clientId, newVerifier().challenge));
  const request = await ask();
  const { organizationId } = workspace;
  const approval = { request, organizationId, scopes: ["contracts:read" as const] };
  const approve = (browser: typeof person, more = {}) =>
    browser.call("assistantRequests.approve", { ...approval, ...more }).then(code);
  expect(await approve(person), "not opened yet").toBe("409 conflict");
  expect((await person.call("assistantRequests.open", { request })).status).toBe(200);
  const foreign: Record<string, string>[] = [
    { origin: "https://evil.example", "sec-fetch-site": "cross-site" },
    { origin: "https://evil.example" },
    { origin: "null" },
  ];
  for (const headers of foreign) {
    const posted = await person.post("assistantRequests.approve", {
      body: JSON.stringify(approval),
      headers,
    });
    expect(code(posted)).toBe("403 forbidden");
  }
  const form = { "content-type": "text/plain" };
  const posted = await person.post("assistantRequests.approve", {
    body: JSON.stringify(approval),
    headers: form,
  });
  expect(posted.status).toBe(415);
  expect(await approve(await signedIn(workspace, "owner")), "someone else").toBe("409 conflict");
  const elsewhere = { ...person, ...openBrowser() };
  await elsewhere.signIn(person.email, person.password);
  expect(await approve(elsewhere), "another sign-in").toBe("409 conflict");
  expect(await approve(person, { request: "x".repeat(43) })).toBe("404 not_found");
  expect(await approve(person, { request: await ask() }), "another request").toBe("409 conflict");
  const twice = await Promise.all([approve(person), approve(person)]);
  expect(twice, "one of them at least").toContain("200");
  expect(code(await person.call("assistantRequests.refuse", { request }))).toBe("409 conflict");
  expect((await person.call("assistants.list")).body.data).toHaveLength(1);
});

test("an attacker who begins an authorization request that a victim approves gets no code", async ({
  workspace,
}) => {
  const [attacker, victim] = [openBrowser(), await signedIn(workspace, "member")];
  const { verifier, challenge } = newVerifier();
  const clientId = await newProgram();
  const request = await begin(attacker, authorizeUrl(clientId, challenge));
  expect((await victim.call("assistantRequests.open", { request })).status).toBe(200);
  const { organizationId } = workspace;
  const approved = await victim.call("assistantRequests.approve", {
    ...{ request, organizationId, scopes: ["contracts:read"] },
  });
  const { pathname } = new URL(approved.body.returnTo);
  const back = async (browser: typeof attacker) => {
    const response = await browser.get(pathname);
    return [response.status, response.headers.get("location")];
  };
  expect(await back(attacker)).toEqual([409, null]);
  const member = { ...(await signedIn(workspace, "member")) };
  for (const [name, value] of attacker.cookies) member.cookies.set(name, value);
  expect(await back(member), "with a sign-in of their own").toEqual([409, null]);
  expect(await back(victim), "in the browser that did not begin it").toEqual([400, null]);
  expect((await redeem(clientId, request, verifier)).status).toBe(400);
});

test("consent cannot grant more than the client asked for, the role has or the workspace allows assistants", async ({
  workspace,
}) => {
  const owner = await signedIn(workspace, "owner");
  const viewer = await signedIn(workspace, "viewer");
  const { organizationId } = workspace;
  const attempt = async (
    person: typeof owner,
    scope: string,
    scopes: ("contracts:read" | "contracts:write" | "audit:read")[],
  ) => {
    const asking = authorizeUrl(await newProgram(), newVerifier().challenge, { scope });
    const request = await begin(person, asking);
    await person.call("assistantRequests.open", { request });
    return code(await person.call("assistantRequests.approve", { request, organizationId, scopes }));
  };
  expect(await attempt(owner, "contracts:read", ["audit:read"])).toBe("403 forbidden");
  expect(await attempt(viewer, "audit:read", ["audit:read"])).toBe("403 forbidden");
  expect(await attempt(owner, "contracts:write", ["contracts:write"])).toBe("403 forbidden");
  expect(await attempt(owner, "contracts:read", ["members:write" as "audit:read"])).toBe(
    "422 validation_error",
  );
  await owner.call("assistants.setPolicy", { policy: "off" });
  expect(await attempt(owner, "contracts:read", ["contracts:read"])).toBe("403 forbidden");
});

test("a client ID URL that points into the private network is not fetched", async () => {
  let visits = 0;
  const inside = createServer((socket) => {
    visits++;
    socket.destroy();
  });
  await new Promise<void>((listening) => inside.listen(0, "127.0.0.1", listening));
  const { port } = inside.address() as { port: number };
  const { challenge } = newVerifier();
  const hosts = [
    ...[`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`, `[::ffff:127.0.0.1]:${port}`],
    ...[`2130706433:${port}`, `127.1:${port}`, "169.254.169.254", "10.0.0.1", "metadata.google.internal"],
  ];
  try {
    for (const host of hosts) {
      const id = `https://${host}/client.json`;
      expect(await outcome(authorizeUrl(id, challenge)), id).toBe(400);
      expect((await refresh(id, "x".repeat(43))).status, id).toBeGreaterThanOrEqual(400);
    }
  } finally {
    inside.close();
  }
  expect(visits).toBe(0);
});

test("malformed OAuth requests get a 4xx or an OAuth error, never a 5xx", async () => {
  const clientId = await newProgram();
  const { challenge } = newVerifier();
  const authorizing = [
    authorizeUrl(clientId, challenge, { state: "a\u0000b" }),
    authorizeUrl(clientId, challenge, { state: "x".repeat(5_000) }),
    authorizeUrl("\u0000", challenge),
    authorizeUrl(`asc_${"x".repeat(22)}`, challenge),
    `${authorizeUrl(clientId, challenge)}&scope=a&scope=b`,
    `${authorizeUrl(clientId, challenge)}&client_id=other`,
    ...["/oauth/authorize", "/oauth/authorize/x", "/oauth/authorize?%", "/oauth/nothing", "/oauth"],
  ];
  for (const path of authorizing) {
    const { status, headers } = await openBrowser().get(path);
    const error = new URL(headers.get("location") ?? base(), base()).searchParams.get("error");
    expect(status >= 400 ? status < 500 : error !== null, `${path.slice(0, 200)}: ${status}`).toBe(true);
  }
  const send = (path: string, body: BodyInit, type: string) =>
    fetch(base() + path, { method: "POST", body, headers: { "content-type": type } }).then(
      ({ status }) => status,
    );
  const urlencoded = "application/x-www-form-urlencoded";
  const grant = `grant_type=refresh_token&client_id=${clientId}&refresh_token`;
  const answers = [
    await send("/oauth/token", "{}", "application/json"),
    await send("/oauth/token", `${grant}=%00`, urlencoded),
    await send("/oauth/token", `${grant}=a&refresh_token=b`, urlencoded),
    await send("/oauth/token", "grant_type=password&username=a&password=b", urlencoded),
    await send("/oauth/token", `client_id=%00&grant_type=refresh_token&refresh_token=x`, urlencoded),
    await send("/oauth/token", "x".repeat(100_000), urlencoded),
    await send("/oauth/register", '{"redirect_uris":["https://a.example/\\ud800"]}', "application/json"),
    await send("/oauth/register", `[${"[".repeat(5_000)}`, "application/json"),
  ];
  expect(answers.filter((status) => status < 400 || status >= 500)).toEqual([]);
  for (const path of ["/oauth/authorize", "/.well-known/oauth-authorization-server"]) {
    expect(await statusUnder("evil.example", path)).toBe(421);
  }
  const methods = ["PUT", "DELETE", "POST"].map((method) => fetch(`${base()}/oauth/authorize`, { method }));
  expect((await Promise.all(methods)).map(({ status }) => status)).toEqual([405, 405, 405]);
});

test("authorization codes, tokens and PKCE verifiers are in no OAuth table, audit event or server log", async ({
  workspace,
}) => {
  const server = await startServer({ LOG_LEVEL: "info", WORKER: "off" });
  try {
    const person = openBrowser(server.url, (await signedIn(workspace, "member")).cookies);
    const one = await connect(person, workspace, ["contracts:read"], { url: server.url });
    const next = await refresh(one.clientId, one.refresh, {}, server.url);
    expect(next.status).toBe(200);
    const form = { token: one.access, client_id: one.clientId };
    expect((await postForm("/oauth/revoke", form, server.url)).status).toBe(200);
    const kept = await connect(person, workspace, ["contracts:read"], { url: server.url });
    const secrets = [one, kept].flatMap((made) => [made.code, made.access, made.refresh, made.verifier]);
    secrets.push(next.body.access_token, next.body.refresh_token);
    const tables = ["assistant_artifacts", "assistant_grants", "assistant_clients", "audit_events"];
    const rows = await Promise.all(
      tables.map((name) => select(`SELECT to_jsonb(t)::text AS row FROM ${name} t`)),
    );
    const text = rows
      .flat()
      .map(({ row }) => row)
      .join("\n");
    const hashes = await select("SELECT kind FROM assistant_artifacts WHERE hash = ANY($1)", [
      [kept.access, kept.refresh].map((token) => Buffer.from(artifactHash(token))),
    ]);
    expect(hashes.map(({ kind }) => kind).sort()).toEqual(["AccessToken", "RefreshToken"]);
    await expect.poll(() => server.output().match(/\/oauth\/(token|revoke)/g)?.length).toBe(4);
    for (const secret of secrets) {
      expect(text.includes(secret), "in the database").toBe(false);
      expect(server.output().includes(secret), "in the log").toBe(false);
    }
  } finally {
    await server.stop();
  }
});
