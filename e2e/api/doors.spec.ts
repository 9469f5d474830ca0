/** The fast path and the route files are one API: both return the same responses. */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { type Asking, apiWith, expect, type Reply, test } from "../fixtures.ts";
import { freePort, node, root } from "../server.ts";

/** Starts the product as `next start` runs it: with route files only. */
async function startNext() {
  const port = await freePort();
  const next = join(root, "node_modules", "next", "dist", "bin", "next");
  const child = spawn(node, [next, "start", "-p", String(port), "-H", "127.0.0.1"], {
    cwd: root,
    stdio: "ignore",
  });
  const url = `http://127.0.0.1:${port}`;
  await expect
    .poll(
      () =>
        fetch(`${url}/livez`).then(
          (reply) => reply.status,
          () => 0,
        ),
      { timeout: 60_000 },
    )
    .toBe(200);
  return { url, stop: () => child.kill() };
}

const varying = new Set(["date", "connection", "keep-alive", "x-request-id", "vary", "transfer-encoding"]);

/** Returns what must be identical: everything except the clock, the limit's count and the connection. */
function comparable({ status, headers, text }: Reply) {
  const kept = [...headers].filter(
    ([name]) => !varying.has(name) && !name.includes("ratelimit") && name !== "content-length",
  );
  return { status, headers: Object.fromEntries(kept), text: text.replace(/request id \S+/, "") };
}

test("the fast path and Next's route files return the same status, headers and body", async ({
  workspace,
}) => {
  const { id } = await workspace.contract({ title: "Seen from two sides" });
  const next = await startNext();
  const slow = apiWith(workspace.key, next.url);
  const etag = (await workspace.api(`GET /contracts/${id}`)).headers.get("etag")!;
  const body = { title: "T", type: "NDA", ourRole: "VENDOR", ownerId: workspace.ownerId };
  const requests: [`${string} /${string}`, Asking?][] = [
    ["GET /me"],
    ["HEAD /me"],
    ["GET /openapi.json", { key: null }],
    ["GET /contracts?status=DRAFT&status[]=IN_REVIEW&q=seen"],
    ["GET /contracts?page=0&sort=x"],
    [`GET /contracts/${id}`],
    [`GET /contracts/${id}`, { headers: { "if-none-match": etag } }],
    [`GET /contracts/${id}`, { key: null }],
    ["GET /contracts/ctr_none"],
    ["GET /nothing"],
    ["GET /contracts/a/b/c/d"],
    ["DELETE /contracts"],
    ["OPTIONS /contracts"],
    ["POST /contracts", { raw: "{" }],
    ["POST /contracts", { body: {} }],
    ["POST /contracts", { raw: " ".repeat(1024 * 1024 + 1) }],
    ["POST /contracts", { raw: "a=b", headers: { "content-type": "text/plain" } }],
    ["POST /contracts", { body, headers: { "idempotency-key": "both" } }],
    [`PUT /contracts/${id}/anchors`, { body: { termMonths: 3 }, headers: { "if-match": '"stale"' } }],
    [`PUT /contracts/${id}/anchors`, { body: {} }],
  ];
  // Sends the first of two equal idempotent requests; both servers then replay it.
  await workspace.api("POST /contracts", { body, headers: { "idempotency-key": "both" } });
  try {
    for (const [route, asking] of requests) {
      const [one, two] = [await workspace.api(route, asking), await slow(route, asking)];
      expect(comparable(two), route).toEqual(comparable(one));
    }
  } finally {
    next.stop();
  }
});
