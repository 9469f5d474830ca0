/** Several servers share one limit where REDIS_URL is set. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { apiWith, expect, test } from "../fixtures.ts";
import { freePort, startServer } from "../server.ts";

/** A real Redis on loopback, or null where none is installed (.ci/run installs it). */
async function startRedis() {
  const port = await freePort();
  const child = spawn("redis-server", [
    "--port",
    String(port),
    "--bind",
    "127.0.0.1",
    "--save",
    "",
    "--daemonize",
    "no",
  ]);
  const started = once(child.stdout, "data").then(
    () => true,
    () => false,
  );
  const missing = once(child, "error").then(() => false);
  if (!(await Promise.race([started, missing]))) return null;
  return { url: `redis://127.0.0.1:${port}`, stop: () => child.kill() };
}

test("two servers with one Redis count a key's requests together", async ({ workspace }) => {
  const redis = await startRedis();
  test
    .info()
    .annotations.push({ type: "redis", description: redis ? "real" : "not installed: one server only" });
  const settings = { RATE_LIMIT_PER_MINUTE: "4", WORKER: "off", REDIS_URL: redis?.url ?? "" };
  const [one, two] = await Promise.all([startServer(settings), startServer(settings)]);
  try {
    const apis = redis ? [one, two, one, two] : [one, one, one, one];
    const remaining = [];
    for (const { url } of apis) {
      const { headers } = await apiWith(workspace.key, url)("GET /me");
      remaining.push(headers.get("x-ratelimit-remaining"));
    }
    expect(remaining).toEqual(["3", "2", "1", "0"]);
    const refused = await apiWith(workspace.key, redis ? two.url : one.url)("GET /me");
    expect(refused.status).toBe(429);
    redis?.stop();
    if (redis) {
      const alone = await apiWith(workspace.key, one.url)("GET /me");
      expect([200, 429], "a server without its Redis counts for itself").toContain(alone.status);
    }
  } finally {
    await Promise.all([one.stop(), two.stop()]);
    redis?.stop();
  }
});
