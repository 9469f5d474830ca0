/** Where the assistant server runs: in a process of its own, or not at all. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { connect, listTools, post } from "../assistant.ts";
import { expect, test } from "../fixtures.ts";
import { freePort, node, root, strictly } from "../server.ts";
import { openAddress } from "../standby.ts";

/** Starts `npm run assistant` on its own port, with the servers' settings. */
async function startAlone(environment: Record<string, string> = {}) {
  const port = String(await freePort());
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(node, [...strictly, join(root, "lib", "run", "assistant.ts")], {
    cwd: root,
    env: { ...process.env, PORT: port, ...environment },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr.on("data", (chunk) => (said += chunk));
  while (!said.includes("ready")) await once(child.stderr, "data");
  return { url, child, said: () => said };
}

test("the assistant server runs as its own process even with ASSISTANT=off, and exits cleanly on SIGTERM", async ({
  workspace,
}) => {
  const { id } = await workspace.contract({ title: "Served alone" });
  const { url, child, said } = await startAlone({ ASSISTANT: "off" });
  try {
    expect((await fetch(`${url}/livez`)).status).toBe(200);
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    expect((await fetch(`${url}/api/v1/me`)).status).toBe(404);
    const { use } = await connect(workspace.key, "2026-07-28", url);
    const { data } = await use("search_contracts", { q: "alone" });
    expect(data.contracts[0]).toMatchObject({ id, link: `${process.env.BASE_URL}/contracts/${id}` });
    const closed = once(child, "close");
    child.kill("SIGTERM");
    expect(await closed, said()).toEqual([0, null]);
  } finally {
    child.kill("SIGKILL");
  }
});

test("the assistant server exits within 50 seconds of SIGTERM, even if its database stops responding", async ({
  workspace,
}) => {
  test.setTimeout(120_000);
  const direct = process.env.DATABASE_URL!;
  const address = await openAddress(Number(new URL(direct).port));
  const { url, child, said } = await startAlone({ DATABASE_URL: address.urlOf(direct) });
  try {
    expect((await post(listTools, { "x-api-key": workspace.key }, "POST", url)).status).toBe(200);
    address.hold();
    const since = performance.now();
    child.kill("SIGTERM");
    expect(await once(child, "close"), said()).toEqual([1, null]);
    expect(performance.now() - since).toBeLessThan(50_000);
  } finally {
    child.kill("SIGKILL");
    address.close();
  }
});

test("a path below /mcp is 404, even with a valid API key", async ({ workspace }) => {
  const response = await fetch(`${process.env.BASE_URL}/mcp/other`, {
    method: "POST",
    headers: { "x-api-key": workspace.key, "content-type": "application/json" },
    body: JSON.stringify(listTools),
  });
  expect([response.status, (await response.json()).error.code]).toEqual([404, "not_found"]);
});

test("an API key over its rate limit gets 429 with Retry-After from the assistant server", async ({
  workspace,
}) => {
  const { url, child } = await startAlone({ RATE_LIMIT_PER_MINUTE: "2" });
  try {
    const headers = { "x-api-key": workspace.key };
    for (const expected of [200, 200, 429]) {
      const reply = await post(listTools, headers, "POST", url);
      expect(reply.status).toBe(expected);
      if (expected === 429) expect(Number(reply.headers.get("retry-after"))).toBeGreaterThan(0);
    }
  } finally {
    child.kill("SIGKILL");
  }
});
