/** Other host names that lead to the server, other protocols, and addresses that no one needs. */
import { expect, test } from "../fixtures.ts";
import { newMember, openBrowser, signedIn } from "../members.ts";
import { type RunningServer, startServer } from "../server.ts";
import { ask } from "./raw.ts";

const at = (path: string) => process.env.BASE_URL! + path;
const evil = { host: "evil.example", origin: "http://evil.example", "content-type": "application/json" };

test("under a foreign host name, no page is served and no cookie is accepted", async ({ workspace }) => {
  const member = await signedIn(workspace, "owner");
  const cookie = [...member.cookies].map((pair) => pair.join("=")).join("; ");
  const rebound = { ...evil, cookie };
  const pages = ["/", "/sign-in", "/home", "/settings/members", "/verify", "/nothing"];
  for (const path of pages) {
    const { status, text } = await ask(at(path), { headers: rebound });
    expect([status, text.includes(process.env.BASE_URL!)], path).toEqual([421, true]);
  }
  const posts = ["/api/member/contracts.list", "/api/member/account.ways", "/api/sign/state"];
  for (const path of posts) {
    const { status } = await ask(at(path), { method: "POST", headers: rebound, body: "{}" });
    expect(status, path).toBe(403);
  }
  expect((await ask(at("/api/auth/session"), { headers: rebound })).status).toBe(421);
  expect((await ask(at("/api/member-files/contracts.csv"), { headers: rebound })).status).toBe(403);
  for (const host of [
    "127.0.0.1.evil.example",
    "127.0.0.1@evil.example",
    "evil.example:3000",
    "[::1].evil",
  ]) {
    const { status } = await ask(at("/sign-in"), { headers: { host } });
    expect([400, 421], host).toContain(status);
  }
});

test("API keys, health checks and openapi.json work under any host name, and pages under loopback names", async ({
  workspace,
}) => {
  const foreign = { host: "proxy.internal" };
  const byKey = await ask(at("/api/v1/me"), { headers: { ...foreign, "x-api-key": workspace.key } });
  expect(byKey.status).toBe(200);
  for (const path of ["/livez", "/readyz", "/api/v1/openapi.json"]) {
    expect((await ask(at(path), { headers: foreign })).status, path).toBe(200);
  }
  for (const host of ["localhost", "LOCALHOST:8080", "[::1]:3000", "127.0.0.1"]) {
    expect((await ask(at("/sign-in"), { headers: { host } })).status, host).toBe(200);
  }
});

test("a request that offers an upgrade to HTTP/2 or WebSocket is answered over HTTP/1.1", async ({
  workspace,
}) => {
  // Next handles upgrades only after its first request.
  await ask(at("/sign-in"));
  for (const upgrade of ["h2c", "websocket"]) {
    const offer = { connection: "Upgrade, HTTP2-Settings", upgrade, "http2-settings": "AAMAAABkAAQAAP__" };
    for (const path of ["/api/v1/me", "/livez", "/sign-in"]) {
      const headers = { ...offer, "x-api-key": workspace.key };
      expect((await ask(at(path), { headers })).status, `${upgrade} ${path}`).toBe(200);
    }
  }
});

test("NextAuth's log and verification endpoints and the image optimizer return 404", async () => {
  const log = { method: "POST", headers: { origin: process.env.BASE_URL! }, body: "code=x&level=error" };
  expect((await ask(at("/api/auth/_log"), log)).status).toBe(404);
  expect((await ask(at("/api/auth/verify-request"))).status).toBe(404);
  const image = `/_next/image?url=${encodeURIComponent("/icon.svg")}&w=640&q=75`;
  expect((await ask(at(image))).status).toBe(404);
});

test.describe("behind HTTPS", () => {
  let server: RunningServer;
  const base = "https://contracts.example";

  test.beforeAll(async () => {
    server = await startServer({ BASE_URL: base, WORKER: "off", TRUSTED_PROXIES: "1" });
  });
  test.afterAll(() => server?.stop());

  test("every response has X-Content-Type-Options: nosniff and Strict-Transport-Security", async ({
    workspace,
  }) => {
    const { host } = new URL(base);
    const key = { "x-api-key": workspace.key };
    const answers: [string, string, object][] = [
      ["GET", "/api/v1/me", key],
      ["GET", "/api/v1/me", {}],
      ["GET", "/api/v1/nothing", key],
      ["GET", "/api/v1/openapi.json", {}],
      ["POST", "/api/member/contracts.list", { origin: base }],
      ["POST", "/api/sign/state", { origin: base }],
      ["GET", "/api/files/none/none.pdf", {}],
      ["GET", "/api/calendar/none.ics", {}],
      ["GET", "/api/member-files/contracts.csv", {}],
      ["GET", "/api/auth/csrf", {}],
      ["GET", "/sign-in", {}],
    ];
    for (const [method, path, headers] of answers) {
      const reply = await ask(server.url + path, { method, headers: { host, ...headers } });
      expect(reply.headers["x-content-type-options"], path).toBe("nosniff");
      expect(reply.headers["strict-transport-security"], path).toBe("max-age=63072000; includeSubDomains");
    }
  });

  test("the host of BASE_URL is accepted with any port, but an Origin with another scheme and port is refused", async () => {
    for (const host of ["contracts.example", "Contracts.Example:8443", "contracts.example."]) {
      expect((await ask(`${server.url}/sign-in`, { headers: { host } })).status, host).toBe(200);
    }
    const headers = { host: "contracts.example", origin: "http://contracts.example:8080" };
    expect((await ask(`${server.url}/api/member/account.ways`, { method: "POST", headers })).status).toBe(
      403,
    );
  });

  test("an X-Forwarded-For entry is used only if it is a valid IP address", async ({ workspace }) => {
    const seen = async (forwarded: string) => {
      const member = await newMember(workspace, "viewer");
      const headers = { host: "contracts.example", "x-forwarded-for": forwarded };
      const first = await ask(`${server.url}/api/auth/csrf`, { headers });
      const { csrfToken } = JSON.parse(first.text);
      const cookie = first.headers["set-cookie"]!.map((set) => set.split(";", 1)[0]).join("; ");
      const form = new URLSearchParams({ email: member.email, password: member.password, csrfToken });
      const signedIn = await ask(`${server.url}/api/auth/callback/credentials`, {
        method: "POST",
        headers: {
          ...{ ...headers, cookie, origin: base, "content-type": "application/x-www-form-urlencoded" },
          "content-length": String(form.toString().length),
        },
        body: form.toString(),
      });
      expect(signedIn.headers["set-cookie"]?.join()).toContain("countersign.session=");
      const { body } = await workspace.api(
        `GET /audit-events?action=USER_SIGNED_IN&actorId=${member.userId}`,
      );
      return body.data[0].payload.ip;
    };
    expect(await seen("198.51.100.7")).toBe("198.51.100.7");
    expect(await seen("made up, 2001:db8::7")).toBe("2001:db8::7");
    expect(await seen("::ffff:198.51.100.8")).toBe("198.51.100.8");
    for (const none of ["<script>", "localhost", "198.51.100", "198.51.100.7:80", "a, "]) {
      expect(await seen(none), none).toBe("127.0.0.1");
    }
  });
});

test("an ignored X-Forwarded-For is logged once and shown in the settings, to admins only", async ({
  workspace,
}) => {
  const server = await startServer({ WORKER: "off" });
  const notice = "The server does not know its reverse proxy";
  const headers = { "x-forwarded-for": "198.51.100.9" };
  try {
    const pageOf = async (role: "admin" | "viewer", own: Record<string, string>) => {
      const member = await newMember(workspace, role);
      const browser = openBrowser(server.url);
      await browser.signIn(member.email, member.password);
      return (await browser.get("/settings/profile", own)).text();
    };
    expect(await pageOf("admin", {})).not.toContain(notice);
    expect(server.output()).not.toContain("TRUSTED_PROXIES");
    expect(await pageOf("admin", headers)).toContain(notice);
    expect(await pageOf("viewer", headers)).not.toContain(notice);
    // A header that a caller invents does not count as a proxy's.
    expect(await pageOf("admin", { "x-countersign-forwarded": "ignored" })).not.toContain(notice);
    await expect.poll(() => server.output()).toContain("TRUSTED_PROXIES");
    expect(server.output().match(/TRUSTED_PROXIES is 0/g)).toHaveLength(1);
  } finally {
    await server.stop();
  }
});
