/** Connecting assistants: the authorization server, as programs and people see it. */
import { request as httpRequest } from "node:http";
import { artifactKinds, findArtifact, saveArtifact } from "#lib/assistants/artifacts.ts";
import { findClient, newClientId, saveClient } from "#lib/assistants/clients.ts";
import { forgetOldAssistants } from "#lib/assistants/sweep.ts";
import { findGrant } from "#lib/assistants/tokens.ts";
import { assistantScopes } from "#lib/core/scopes.ts";
import { addMember } from "#lib/people/members/workspaces.ts";
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

const base = () => process.env.BASE_URL!;

/** Returns the error that a program is redirected with, or the status if there is no redirect. */
const refusedWith = async (path: string) => {
  const response = await openBrowser().get(path);
  const location = response.headers.get("location");
  return location ? new URL(location).searchParams.get("error") : response.status;
};

/** Registers as a program does: from its own address, because registrations are limited per address. */
function register(metadata: unknown, localAddress = "127.0.0.1"): Promise<{ status: number; body: Json }> {
  return new Promise((resolve, reject) => {
    const headers = { "content-type": "application/json" };
    const sending = httpRequest(`${base()}/oauth/register`, { method: "POST", localAddress, headers });
    sending.on("error", reject).on("response", async (response) => {
      const text = (await response.toArray()).join("");
      resolve({ status: response.statusCode!, body: text ? JSON.parse(text) : null });
    });
    sending.end(typeof metadata === "string" ? metadata : JSON.stringify(metadata));
  });
}

// biome-ignore lint/suspicious/noExplicitAny: each test checks the parts of a response that it needs.
type Json = any;

test("an OAuth client gets a token for the scopes and the workspace that the user approved", async ({
  workspace,
}) => {
  const { access, scope, clientId, person } = await connected(workspace, [
    "contracts:read",
    "obligations:read",
  ]);
  expect(scope).toBe("contracts:read obligations:read");
  expect(await findGrant(access)).toMatchObject({
    client: { id: clientId, name: "Claude" },
    user: { id: person.userId, email: person.email },
    role: "member",
    organizationId: workspace.organizationId,
    scopes: ["contracts:read", "obligations:read"],
    policy: "read_only",
  });
});

test("OAuth metadata names all endpoints under BASE_URL, whatever the request's forwarding headers say", async () => {
  const headers = { "x-forwarded-host": "evil.example", "x-forwarded-proto": "https" };
  const read = async (path: string) => (await fetch(base() + path, { headers })).json();
  expect(await read("/.well-known/oauth-authorization-server")).toMatchObject({
    issuer: base(),
    authorization_endpoint: `${base()}/oauth/authorize`,
    token_endpoint: `${base()}/oauth/token`,
    registration_endpoint: `${base()}/oauth/register`,
    revocation_endpoint: `${base()}/oauth/revoke`,
    token_endpoint_auth_methods_supported: ["none"],
    code_challenge_methods_supported: ["S256"],
    response_types_supported: ["code"],
    grant_types_supported: ["authorization_code", "refresh_token"],
    client_id_metadata_document_supported: true,
    authorization_response_iss_parameter_supported: true,
    scopes_supported: [...assistantScopes],
  });
  expect((await read("/.well-known/openid-configuration")).issuer).toBe(base());
  for (const path of ["", "/mcp"]) {
    expect(await read(`/.well-known/oauth-protected-resource${path}`)).toMatchObject({
      resource: `${base()}/mcp`,
      authorization_servers: [base()],
      scopes_supported: [...assistantScopes],
    });
  }
});

test("CORS opens the metadata, registration, token and revocation endpoints, but not authorization or consent", async () => {
  const headers = { origin: "https://inspector.example", "access-control-request-method": "POST" };
  const allowed = async (path: string, method = "OPTIONS") => {
    const response = await fetch(base() + path, { method, headers, redirect: "manual" });
    return response.headers.get("access-control-allow-origin");
  };
  for (const path of ["/oauth/token", "/oauth/register", "/oauth/revoke"])
    expect(await allowed(path)).toBe("*");
  const open = await allowed("/.well-known/oauth-authorization-server", "GET");
  expect(["*", headers.origin]).toContain(open);
  expect(await allowed("/oauth/authorize")).toBeNull();
  expect(await allowed("/connect/any")).toBeNull();
});

test("the authorization response carries the issuer and the client's state", async ({ workspace }) => {
  const { told } = await consent(
    await signedIn(workspace, "member"),
    workspace,
    ["contracts:read"],
    await newProgram(),
  );
  expect(told.origin + told.pathname).toBe(redirect);
  expect(Object.fromEntries(told.searchParams)).toMatchObject({ iss: base(), state: "st-4711" });
});

test("refusing consent redirects with access_denied, without an authorization code", async ({
  workspace,
}) => {
  const person = await signedIn(workspace, "member");
  const request = await begin(person, authorizeUrl(await newProgram(), newVerifier().challenge));
  await person.call("assistantRequests.open", { request });
  const { body } = await person.call("assistantRequests.refuse", { request });
  const response = await person.get(new URL(body.returnTo).pathname);
  const told = new URL(response.headers.get("location")!).searchParams;
  expect([told.get("error"), told.get("code")]).toEqual(["access_denied", null]);
  expect((await person.call("assistants.list")).body.data).toEqual([]);
});

test("a request that names no supported scope asks for all of them, and offline_access is ignored", async ({
  workspace,
}) => {
  const person = await signedIn(workspace, "owner");
  const clientId = await newProgram();
  for (const scope of [null, "openid profile email", "offline_access"]) {
    const asking = { scope, nonce: "n", max_age: "0", prompt: "login" };
    const request = await begin(person, authorizeUrl(clientId, newVerifier().challenge, asking));
    const { body } = await person.call("assistantRequests.open", { request });
    expect(body.request.scopes, String(scope)).toEqual([...assistantScopes]);
  }
  const asking = { scope: "contracts:read offline_access unheard:of" };
  const { code: given, verifier } = await consent(person, workspace, ["contracts:read"], clientId, asking);
  const { body } = await redeem(clientId, given, verifier);
  const again = await refresh(clientId, body.refresh_token, { scope: "contracts:read offline_access" });
  expect([again.status, again.body.scope]).toEqual([200, "contracts:read"]);
});

test("a resource parameter with a trailing slash yields tokens with the approved scopes", async ({
  workspace,
}) => {
  const [person, clientId] = [await signedIn(workspace, "member"), await newProgram()];
  const resource = `${base()}/mcp/`;
  const scopes = ["contracts:read", "search:read"] as const;
  const { code: given, verifier } = await consent(person, workspace, [...scopes], clientId, { resource });
  const first = await redeem(clientId, given, verifier, { resource });
  const next = await refresh(clientId, first.body.refresh_token, { resource });
  for (const { body } of [first, next]) {
    expect((await findGrant(body.access_token))?.scopes, JSON.stringify(body)).toEqual(scopes);
  }
});

test("prompt=none is refused with consent_required", async () => {
  const path = authorizeUrl(await newProgram(), newVerifier().challenge, { prompt: "none" });
  expect(await refusedWith(path)).toBe("consent_required");
});

test("client registration issues no secret, cleans the name, and drops scopes and URIs it does not need", async () => {
  const { status, body } = await register({
    client_name: "  Spoofed\u202e\u0000 name  ",
    redirect_uris: [redirect, "http://127.0.0.1:8123/done", "cursor://mcp/callback"],
    token_endpoint_auth_method: "client_secret_basic",
    scope: "anything at all",
    logo_uri: "https://tracker.example/logo.png",
    jwks_uri: "https://169.254.169.254/keys",
    sector_identifier_uri: "https://169.254.169.254/sector",
  });
  expect([status, body.token_endpoint_auth_method, body.client_secret]).toEqual([201, "none", undefined]);
  expect(body.client_name).toBe("Spoofed name");
  expect(Object.keys(body).filter((name) => name.endsWith("_uri") || name === "scope")).toEqual([]);
});

test("client registration refuses unsafe redirect URIs and malformed or oversized requests", async () => {
  const wrong: unknown[] = [
    ...["javascript:alert(1)", "data:text/html,x", "http://evil.example/", "https://a.example/#x"],
    ...["https://user:secret@a.example/", "not a url", `https://a.example/${"x".repeat(500)}`, 7],
    ...["http://localhost.evil.example/", "https://a.example/\u0000", "file:///etc/passwd"],
    ...["mailto:a@evil.example", "intent://evil#Intent;end", "ftp://evil.example/", "ms-settings:x"],
  ];
  for (const uri of wrong) {
    const { status, body } = await register({ redirect_uris: [uri] }, "127.0.0.2");
    expect([status, body.error], String(uri)).toEqual([400, "invalid_redirect_uri"]);
  }
  const many = Array.from({ length: 11 }, (_, index) => `https://a.example/${index}`);
  expect((await register({ redirect_uris: many }, "127.0.0.2")).status).toBe(400);
  expect((await register({}, "127.0.0.2")).status).toBe(400);
  expect((await register("{", "127.0.0.2")).status).toBe(400);
  expect((await register("[]", "127.0.0.2")).status).toBe(400);
  const long = { redirect_uris: [redirect], client_name: "x".repeat(20_000) };
  expect((await register(long, "127.0.0.2")).status).toBe(413);
  const named = await register({ redirect_uris: [redirect], client_name: "x".repeat(5_000) }, "127.0.0.2");
  expect(named.body.client_name).toHaveLength(100);
});

test("client registrations beyond 60 from one IP address are rate limited", async () => {
  const flood = Array.from({ length: 70 }, () => register({ redirect_uris: [redirect] }, "127.0.0.77"));
  const statuses = (await Promise.all(flood)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 201)).toHaveLength(60);
  expect(statuses.filter((status) => status === 429)).toHaveLength(10);
});

test("a redirect URI may differ from the registered one only in the port of a loopback address", async () => {
  const clientId = await newProgram({
    redirect_uris: ["http://127.0.0.1/done", "http://[::1]:1/done", "http://localhost/done", redirect],
    application_type: "native",
  });
  const { challenge } = newVerifier();
  for (const redirect_uri of [
    ...["http://127.0.0.1:50123/done", "http://[::1]:50123/done", "http://localhost:50123/done"],
  ]) {
    await begin(openBrowser(), authorizeUrl(clientId, challenge, { redirect_uri }));
  }
  for (const redirect_uri of [
    ...["http://127.0.0.1:50123/other", "https://assistant.example:444/callback", `${redirect}/x`],
    ...[`${redirect}?more=1`, "https://evil.example/callback", "http://127.0.0.2/done"],
  ]) {
    expect(await refusedWith(authorizeUrl(clientId, challenge, { redirect_uri })), redirect_uri).toBe(400);
  }
});

test("access ends at once when the member or an owner disconnects it, or the client revokes its token", async ({
  workspace,
}) => {
  const [own, given, others] = [
    await connected(workspace),
    await connected(workspace),
    await connected(workspace),
  ];
  const owner = await signedIn(workspace, "owner");
  const { data } = (await owner.call("assistants.list")).body;
  expect(data).toHaveLength(3);
  const ofPerson = await own.person.call("assistants.list");
  expect(ofPerson.body.data).toMatchObject([{ name: "Claude", host: "assistant.example", isOwn: true }]);
  const idOf = ({ person }: typeof own) =>
    data.find((one: { member: { id: string } }) => one.member.id === person.userId).id;
  expect(code(await own.person.call("assistants.revoke", { id: idOf(others) }))).toBe("404 not_found");
  expect(code(await own.person.call("assistants.revoke", { id: idOf(own) }))).toBe("204");
  expect(code(await own.person.call("assistants.revoke", { id: idOf(own) }))).toBe("204");
  expect(code(await owner.call("assistants.revoke", { id: idOf(others) }))).toBe("204");
  const form = { token: given.refresh, client_id: given.clientId };
  expect((await postForm("/oauth/revoke", form)).status).toBe(200);
  for (const { access, refresh: token, clientId } of [own, given, others]) {
    expect(await findGrant(access)).toBeUndefined();
    expect((await refresh(clientId, token)).body.error).toBe("invalid_grant");
  }
  expect((await owner.call("assistants.list")).body.data).toEqual([]);
  const log = await workspace.api("GET /audit-events?action=ASSISTANT_REVOKED&action=ASSISTANT_CONNECTED");
  expect(log.body.data.map(({ action }: { action: string }) => action).sort()).toEqual([
    ...Array(3).fill("ASSISTANT_CONNECTED"),
    ...Array(3).fill("ASSISTANT_REVOKED"),
  ]);
});

test("signing out everywhere else revokes the person's assistants, and the audit log records each", async ({
  workspace,
}) => {
  const { access, person } = await connected(workspace);
  const other = await connected(workspace);
  expect((await person.call("sessions.endOthers")).status).toBe(200);
  expect(await findGrant(access)).toBeUndefined();
  expect(await findGrant(other.access)).toBeDefined();
  const { body } = await workspace.api("GET /audit-events?action=ASSISTANT_REVOKED");
  expect(body.data).toMatchObject([
    {
      payload: {
        changes: { name: { from: "Claude", to: null } },
        reason: "The person ended all other access",
      },
    },
  ]);
});

test("an admin, but not a plain member, sets the assistant policy, which applies to existing tokens at once", async ({
  workspace,
}) => {
  const admin = await signedIn(workspace, "admin");
  expect(code(await admin.call("assistants.setPolicy", { policy: "as_granted" }))).toBe("200");
  const { access, person } = await connected(workspace, ["contracts:read", "contracts:write"]);
  expect(code(await person.call("assistants.setPolicy", { policy: "off" }))).toBe("403 forbidden");
  const may = async () => (await findGrant(access))?.scopes;
  expect(await may()).toEqual(["contracts:read", "contracts:write"]);
  await admin.call("assistants.setPolicy", { policy: "read_only" });
  expect(await may()).toEqual(["contracts:read"]);
  await admin.call("assistants.setPolicy", { policy: "off" });
  expect(await may()).toBeUndefined();
  const events = await workspace.api("GET /audit-events?action=ASSISTANT_POLICY_CHANGED&limit=1");
  expect(events.body.data[0].payload.changes).toEqual({ policy: { from: "read_only", to: "off" } });
});

test("a refresh can narrow the scope, but not widen it", async ({ workspace }) => {
  const one = await connected(workspace, ["contracts:read", "search:read"]);
  const less = await refresh(one.clientId, one.refresh, { scope: "search:read" });
  expect((await findGrant(less.body.access_token))?.scopes).toEqual(["search:read"]);
  const more = await refresh(one.clientId, less.body.refresh_token, { scope: "audit:read" });
  expect([more.status, more.body.error]).toEqual([400, "invalid_scope"]);
});

test("expired OAuth tokens and client registrations unused for 30 days are deleted, and others are kept", async ({
  workspace,
}) => {
  const day = 24 * 60 * 60 * 1000;
  const ago = (days: number) => new Date(Date.now() - days * day);
  const [old, recent] = [newClientId(), newClientId()];
  await saveClient(old, { redirect_uris: [redirect] }, ago(31));
  await saveClient(recent, { redirect_uris: [redirect] }, ago(29));
  const { clientId, access, refresh: renewal } = await connected(workspace);
  const [expired, valid] = [`${old}-expired`, `${old}-valid`];
  for (const kind of artifactKinds) {
    await saveArtifact(kind, `${expired} ${kind}`, {}, -1);
    await saveArtifact(kind, `${valid} ${kind}`, {}, 60);
  }
  await forgetOldAssistants(new Date());
  for (const kind of artifactKinds) {
    expect(await findArtifact(kind, `${expired} ${kind}`), kind).toBeUndefined();
    expect(await findArtifact(kind, `${valid} ${kind}`), kind).toBeDefined();
  }
  expect(await findGrant(access)).toBeDefined();
  expect(await findArtifact("RefreshToken", renewal)).toBeDefined();
  expect(await findClient(old)).toBeUndefined();
  expect(await findClient(recent)).toBeDefined();
  expect(await findClient(clientId)).toBeDefined();
  expect(await refusedWith(authorizeUrl(old, newVerifier().challenge))).toBe(400);
});

test("changing the password or leaving the workspace disconnects a member's assistants, even after rejoining", async ({
  workspace,
}) => {
  const [reset, gone] = [await connected(workspace), await connected(workspace)];
  await reset.person.call("profile.changePassword", {
    currentPassword: reset.person.password,
    newPassword: "quite another pass phrase",
  });
  expect(await findGrant(reset.access)).toBeUndefined();
  const owner = await signedIn(workspace, "owner");
  await owner.call("members.remove", { memberId: gone.person.memberId });
  expect(await findGrant(gone.access)).toBeUndefined();
  expect((await refresh(gone.clientId, gone.refresh)).body.error).toBe("invalid_grant");
  const { email, password } = gone.person;
  await addMember(workspace.ctx, { email, name: "Back again", password, role: "member" });
  expect(await findGrant(gone.access)).toBeUndefined();
});

test("an assistant can be connected only to a workspace that its user belongs to", async ({
  workspace,
  other,
}) => {
  const person = await signedIn(workspace, "member");
  const { organizationId } = (await person.call("workspaces.list")).body.data[0];
  const made = await connect(person, { organizationId });
  expect((await findGrant(made.access))?.organizationId).toBe(workspace.organizationId);
  const request = await begin(person, authorizeUrl(await newProgram(), newVerifier().challenge));
  await person.call("assistantRequests.open", { request });
  const elsewhere = { request, organizationId: other.organizationId, scopes: ["contracts:read" as const] };
  expect(code(await person.call("assistantRequests.approve", elsewhere))).toBe("404 not_found");
});
