import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "@playwright/test";
import { type Asked, sendAll, summaryOf } from "./open-loop.ts";

const asked: Asked = { kind: "read", method: "GET", path: "/", headers: {}, status: 200 };

async function sentTo(answer: RequestListener, plan: Omit<Parameters<typeof sendAll>[1], "next">) {
  const server = createServer(answer).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const outcome = await sendAll(`http://127.0.0.1:${port}`, { ...plan, next: () => asked });
  server.closeAllConnections();
  server.close();
  return outcome;
}

test("requests delayed by a blocked server count as late from the moment they were due", async () => {
  let isFirst = true;
  const outcome = await sentTo(
    (_, response) => {
      // Blocks the whole process, including the client.
      const until = performance.now() + (isFirst ? 400 : 0);
      isFirst = false;
      while (performance.now() < until);
      response.end();
    },
    { perSecond: 200, requests: 40 },
  );
  const late = outcome.times.get("read")!.filter((ms) => ms > 100);
  // If times counted from when requests were sent, only the first would be late.
  expect(late.length).toBeGreaterThan(20);
  expect(summaryOf(outcome)).toMatchObject({ failed: 0 });
});

test("an unexpected status and a cut connection count as failures with their cause and are not retried", async () => {
  let count = 0;
  const outcome = await sentTo(
    (request, response) => {
      count += 1;
      if (count % 2) request.socket.destroy();
      else response.writeHead(503).end("later");
    },
    { perSecond: 500, requests: 20 },
  );
  expect(count).toBe(20);
  expect(summaryOf(outcome)).toMatchObject({ failed: 20 });
  expect(outcome.failures.get("read: 503")).toMatchObject({
    count: 10,
    first: expect.stringContaining("GET /: later"),
  });
  expect([...outcome.failures.keys()].sort()).toEqual(["read: 503", "read: UND_ERR_SOCKET"]);
});

test("a run that cannot meet its limit stops early", async () => {
  const outcome = await sentTo((_, response) => response.writeHead(500).end(), {
    ...{ perSecond: 1000, requests: 10_000, hopelessAboveMs: 60_000 },
  });
  expect(outcome.requests).toBeLessThan(10_000);
});
