/** Several servers share one limit if REDIS_URL is set. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { apiWith, expect, test } from "../fixtures.ts";
import { freePort, startServer } from "../server.ts";

/** Starts a real Redis on loopback; returns null if none is installed (.ci/run installs it). */
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
  return {
    url: `redis://127.0.0.1:${port}`,
    stop: () => child.kill("SIGKILL"),
    /** Makes it keep its connections and not respond. */
    hang: () => child.kill("SIGSTOP"),
    goOn: () => child.kill("SIGCONT"),
  };
}

test("two servers with the same Redis enforce one rate limit per key", async ({ workspace }) => {
  const redis = await startRedis();
  test
    .info()
    .annotations.push({ type: "redis", description: redis ? "real" : "not installed: one server only" });
  // This tests the count, not how fast a busy machine is.
  const settings = {
    ...{ RATE_LIMIT_PER_MINUTE: "4", WORKER: "off" },
    ...{ REDIS_URL: redis?.url ?? "", REDIS_TIMEOUT_MS: "1000" },
  };
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

test("a hanging Redis does not hold up requests, and is used again once it responds", async ({
  workspace,
}) => {
  const redis = await startRedis();
  if (!redis) throw new Error("redis-server is not installed: npm test installs it, or says how");
  const settings = {
    ...{ RATE_LIMIT_PER_MINUTE: "1000", WORKER: "off", REDIS_URL: redis.url, LOG_LEVEL: "info" },
    // On a busy machine its responses may take longer than the default limit.
    REDIS_TIMEOUT_MS: "1000",
  };
  const [one, two] = await Promise.all([startServer(settings), startServer(settings)]);
  try {
    const remaining = async (server: typeof one) => {
      const reply = await apiWith(workspace.key, server.url)("GET /me");
      expect(reply.status).toBe(200);
      return Number(reply.headers.get("x-ratelimit-remaining"));
    };
    const median = async () => {
      const times = [];
      for (let at = 0; at < 41; at++) {
        const began = performance.now();
        await remaining(one);
        times.push(performance.now() - began);
      }
      return times.toSorted((a, b) => a - b)[20]!;
    };
    const counted = Math.min(await remaining(one), await remaining(two));
    expect(counted, "together").toBe(998);
    const before = await median();
    redis.hang();
    const during = await median();
    expect(during - before, `it was ${before} ms before`).toBeLessThan(500);
    await expect.poll(() => one.output()).toContain("Redis does not respond");
    redis.goOn();
    await expect.poll(() => one.output()).toContain("Redis responds again");
    await expect
      .poll(async () => (await remaining(one)) - (await remaining(two)), "the next of the same count")
      .toBe(1);
  } finally {
    redis.goOn();
    await Promise.all([one.stop(), two.stop()]);
    redis.stop();
  }
});
