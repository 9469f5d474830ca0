/**
 * Limits exceeded through every door of the built server, whichever door is used first: the parts that Next bundles
 * separately share the counters, which the first one creates.
 */
import { artifactHash } from "#lib/assistants/artifacts.ts";
import { database } from "#lib/core/db.ts";
import { listTools, post } from "../assistant.ts";
import { connected } from "../assistants.ts";
import { expect, newWorkspace, test, type Workspace } from "../fixtures.ts";
import { newMember, openBrowser, signedIn } from "../members.ts";
import { startServer } from "../server.ts";

type Door = (address: string) => Promise<{ status: number; retryAfter: string | null }>;

const told = ({ status, headers }: { status: number; headers: Headers }) => ({
  status,
  retryAfter: headers.get("retry-after"),
});

/** Returns an assistant's access token for a server, issued by another one. */
async function tokenFor(url: string, workspace: Workspace): Promise<string> {
  const { access } = await connected(workspace);
  const where = { hash: artifactHash(access) };
  const { assistantArtifact } = database().prisma;
  const { payload } = await assistantArtifact.findUniqueOrThrow({ where });
  const data = { payload: { ...(payload as object), aud: `${url}/mcp` } };
  await assistantArtifact.update({ where, data });
  return access;
}

test("the 61st OAuth client registration from an IP address gets 429, even with RATE_LIMIT_PER_MINUTE=0", async () => {
  const server = await startServer({ WORKER: "off", RATE_LIMIT_PER_MINUTE: "0", TRUSTED_PROXIES: "1" });
  const register = async (address: string) => {
    const headers = { "content-type": "application/json", "x-forwarded-for": address };
    const body = JSON.stringify({ redirect_uris: ["https://program.example/back"] });
    return (await fetch(`${server.url}/oauth/register`, { method: "POST", headers, body })).status;
  };
  try {
    const statuses = [];
    for (let time = 0; time < 61; time++) statuses.push(await register("198.51.100.1"));
    expect(statuses).toEqual([...Array(60).fill(201), 429]);
    expect(await register("203.0.113.1")).toBe(201);
  } finally {
    await server.stop();
  }
});

test("exceeded limits are 429 with Retry-After in API, web app, signing page, assistant server and OAuth, whichever is used first", async () => {
  test.setTimeout(180_000);
  const doors = async (url: string): Promise<Record<string, Door>> => {
    const workspace = await newWorkspace();
    // Signed in through another server, so that this one has not counted anything yet.
    const visit = async () => openBrowser(url, (await signedIn(workspace, "owner")).cookies);
    const [member, person, exporter, prover] = [await visit(), await visit(), await visit(), await visit()];
    const stranger = openBrowser(url);
    const from = (address: string) => ({ "x-forwarded-for": address });
    const signer = { origin: url, "content-type": "application/json" };
    const guessed = await newMember(workspace, "member");
    const authorization = `Bearer ${await tokenFor(url, workspace)}`;
    return {
      key: async (address) =>
        told(await fetch(`${url}/api/v1/me`, { headers: { "x-api-key": workspace.key, ...from(address) } })),
      member: async (address) => told(await member.post("contracts.list", { headers: from(address) })),
      person: async (address) => told(await person.post("profile.read", { headers: from(address) })),
      visitor: async (address) => told(await stranger.post("account.ways", { headers: from(address) })),
      signer: async (address) =>
        told(
          await fetch(`${url}/api/sign/state`, {
            method: "POST",
            headers: { ...signer, ...from(address) },
            body: "{}",
          }),
        ),
      oauth: async (address) =>
        told(await fetch(`${url}/oauth/authorize`, { headers: from(address), redirect: "manual" })),
      assistant: async (address) =>
        told(await post(listTools, { authorization, ...from(address) }, "POST", url)),
      calendar: async (address) =>
        told(await fetch(`${url}/api/calendar/${"x".repeat(43)}.ics`, { headers: from(address) })),
      exports: async (address) => told(await exporter.get("/api/member-files/contracts.csv", from(address))),
      reset: async (address) =>
        told(
          await stranger.post("account.requestPasswordReset", {
            headers: from(address),
            body: JSON.stringify({ email: guessed.email }),
          }),
        ),
      "password again": async (address) =>
        told(
          await prover.post("sessions.confirmPassword", {
            headers: from(address),
            body: JSON.stringify({ password: "wrong" }),
          }),
        ),
      "sign-in": async (address) => {
        const csrf = await stranger.get("/api/auth/csrf");
        const { csrfToken } = await csrf.json();
        const cookie = [...stranger.cookies].map((pair) => pair.join("=")).join("; ");
        const form = { email: guessed.email, password: "wrong", csrfToken, json: "true" };
        return told(
          await fetch(`${url}/api/auth/callback/credentials`, {
            method: "POST",
            headers: { ...from(address), origin: url, cookie },
            body: new URLSearchParams(form),
          }),
        );
      },
    };
  };
  for (const first of ["key", "calendar", "exports", "sign-in", "password again"]) {
    const server = await startServer({
      ...{ WORKER: "off", RATE_LIMIT_PER_MINUTE: "5", SIGN_IN_ATTEMPTS: "2", TRUSTED_PROXIES: "1" },
    });
    try {
      const all = await doors(server.url);
      const order = [first, ...Object.keys(all).filter((name) => name !== first)];
      for (const [index, name] of order.entries()) {
        const statuses = [];
        let last = { status: 0, retryAfter: null as string | null };
        while (last.status !== 429 && statuses.length < 8) {
          last = await all[name]!(`198.51.100.${index + 1}`);
          statuses.push(last.status);
        }
        expect(statuses.join(" "), `${name}, after ${first} came first`).toMatch(/^([234]\d\d ){2,5}429$/);
        expect(Number(last.retryAfter), name).toBeGreaterThan(0);
      }
      expect(server.output()).not.toContain('"level":50');
    } finally {
      await server.stop();
    }
  }
});
