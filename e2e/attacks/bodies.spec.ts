/** Request bodies that the caller may not send, and bodies that need more resources than their size suggests. */
import { randomUUID } from "node:crypto";
import { watch } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { post } from "../assistant.ts";
import { apiWith, expect, test } from "../fixtures.ts";
import { keyWith } from "../keys.ts";
import { code, openBrowser, signedIn } from "../members.ts";
import { type RunningServer, startServer } from "../server.ts";
import { ask } from "./raw.ts";

let server: RunningServer;
let dataDir: string;
/** Every file that was created in the folder for incoming uploads. */
const received = new Set<string>();

test.beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "countersign-attacks-"));
  const incoming = join(dataDir, "incoming");
  await mkdir(incoming);
  watch(incoming, (_, name) => name && received.add(name)).unref();
  server = await startServer({ DATA_DIR: dataDir, WORKER: "off" });
});
test.afterAll(async () => {
  await server?.stop();
  await rm(dataDir, { recursive: true, force: true });
});
test.beforeEach(() => received.clear());
test.describe.configure({ mode: "serial" });

/** Returns a JSON text that contains a file's content many times. */
const repeated = (times: number) =>
  `{"title":"T","document":{${Array.from({ length: times }, () => '"contentBase64":"AA=="').join()}}}`;
const inTwo = '{"document":{"contentBase64":"AA=="},"document":{"contentBase64":"AA=="}}';
const escaped = '{"document":{"contentBase64":"AA==","content\\u0042ase64":"AA=="}}';

test("a body that contains the same file twice is refused, and creates at most one temporary file", async ({
  workspace,
}) => {
  const member = await signedIn(workspace, "owner", server.url);
  const api = apiWith(workspace.key, server.url);
  for (const raw of [repeated(2), repeated(40_000), inTwo, escaped]) {
    for (const reply of [
      await api("POST /contracts", { raw }),
      await member.post("contracts.create", { body: raw }),
    ]) {
      expect(code(reply)).toBe("422 validation_error");
      const [issue] = reply.body.error.details.issues;
      expect(issue.path).toBe("document.contentBase64");
    }
  }
  await expect.poll(() => received.size, "one a request").toBeGreaterThan(4);
  expect(received.size).toBeLessThanOrEqual(8);
});

test("an unauthorized upload by API key, session, signing link or assistant is refused before its body is read", async ({
  workspace,
}) => {
  const viewer = await signedIn(workspace, "viewer", server.url);
  const cookie = [...viewer.cookies].map((pair) => pair.join("=")).join("; ");
  const own = { origin: server.url, "sec-fetch-site": "same-origin" };
  const readOnly = await keyWith(workspace, ["contracts:read"]);
  const signer = { "x-signer-id": "sgn_01jz3m5k8pe9qs4vnhb6w2x0ra", ...own };
  const callers: [string, object, number][] = [
    ["/api/v1/contracts", {}, 401],
    ["/api/v1/contracts", { "x-api-key": "csk_nonsense" }, 401],
    ["/api/v1/contracts", { "x-api-key": readOnly }, 403],
    ["/api/v1/nothing", { "x-api-key": workspace.key }, 404],
    ["/api/member/contracts.create", own, 401],
    ["/api/member/contracts.create", { ...own, cookie }, 403],
    ["/api/member/contracts.create", { cookie, origin: "https://evil.example" }, 403],
    ["/api/sign/finish", signer, 403],
    ["/api/sign/state", signer, 403],
    ["/mcp", {}, 401],
    ["/mcp", { authorization: `Bearer ${"x".repeat(43)}` }, 401],
    ["/mcp", { authorization: "Bearer csk_nonsense" }, 401],
    ["/mcp", { "x-api-key": workspace.key, origin: "https://evil.example" }, 403],
  ];
  const beginnings = {
    "application/json": '{"document":{"contentBase64":"AAAA',
    "multipart/form-data; boundary=b":
      '--b\r\ncontent-disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n%PDF-1.7\n',
  };
  for (const [path, headers, status] of callers) {
    for (const [type, unfinished] of Object.entries(beginnings)) {
      // The rest is never sent, so a server that waits for it would not respond.
      const reply = await ask(server.url + path, {
        method: "POST",
        headers: { "content-type": type, "content-length": "40000000", ...headers },
        unfinished,
      });
      expect(reply.status, `${path} ${type}`).toBe(status);
    }
  }
  expect([...received]).toEqual([]);
});

test("a validation error lists at most 100 problems and counts the rest", async ({ workspace }) => {
  const api = apiWith(workspace.key, server.url);
  const many = Object.fromEntries(Array.from({ length: 9000 }, (_, at) => [at.toString(36), 0]));
  const fields = { title: "T", type: "NDA", ourRole: "VENDOR", ownerId: workspace.ownerId };
  const reply = await api("POST /contracts", { body: { ...fields, ...many } });
  expect(code(reply)).toBe("422 validation_error");
  const { issues } = reply.body.error.details;
  expect(issues).toHaveLength(101);
  expect(issues.at(-1)).toEqual({ path: "", message: "has 8900 more problems, which are not listed" });
  expect(reply.text.length).toBeLessThan(20_000);
  const long = await api("POST /contracts", { body: { ...fields, ["x".repeat(500_000)]: 1 } });
  expect(code(long)).toBe("422 validation_error");
  expect(long.text.length).toBeLessThan(2000);
  const browser = openBrowser(server.url);
  const account = { email: `${randomUUID()}@test.example`, ...many };
  expect(code(await browser.post("account.signUp", { body: JSON.stringify(account) }))).toBe(
    "422 validation_error",
  );
});

test("a JSON body with more than 20,000 object keys or 100 nesting levels is refused before it is parsed", async ({
  workspace,
}) => {
  const api = apiWith(workspace.key, server.url);
  const member = await signedIn(workspace, "owner", server.url);
  const named = (count: number) =>
    Array.from({ length: count }, (_, at) => `"${at.toString(36)}":"a:b"`).join();
  const listed = (count: number) => Array.from({ length: count / 2 }, () => '{"":0,"":0}').join();
  const nested = (depth: number) => `{"title":${"[".repeat(depth)}${"]".repeat(depth)}}`;
  const names = "has more than 20,000 names in its objects";
  const depth = "is nested more than 100 levels deep";
  for (const [raw, excess] of [
    [`{${named(20_000)}}`, null],
    [`{${named(20_001)}}`, names],
    [`{"\\\\":{${named(20_000)}}}`, names],
    [`{"title":[${listed(20_000)}]}`, names],
    [nested(99), null],
    [nested(100), depth],
    // Braces and names inside a string count as neither.
    [`{"title":"${'\\":'.repeat(100_000)}"}`, null],
    [`{"title":"${"[{".repeat(100_000)}"}`, null],
    // These are not even valid JSON.
    [`{${named(20_001)}`, names],
    ["{[".repeat(100), depth],
  ] as const) {
    for (const reply of [
      await api("POST /contracts", { raw }),
      await api("POST /counterparties", { raw }),
      await member.post("contracts.create", { body: raw }),
      await member.post("counterparties.create", { body: raw }),
    ]) {
      expect(code(reply)).toBe("422 validation_error");
      const told = reply.body.error.details.issues.map(({ message }: { message: string }) => message);
      if (excess) expect(told, raw.slice(0, 50)).toEqual([excess]);
      else for (const one of [names, depth]) expect(told, raw.slice(0, 50)).not.toContain(one);
    }
    if (!excess) continue;
    const { status, text } = await post(raw, { "x-api-key": workspace.key }, "POST", server.url);
    expect([status, JSON.parse(text).error.details.issues[0].message], "an assistant's").toEqual([
      422,
      excess,
    ]);
  }
});
