import { request } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "@playwright/test";
import { Entrance } from "./entrance.ts";

async function opened() {
  const entrance = new Entrance();
  await entrance.open(0, "127.0.0.1");
  const { port } = entrance.server.address() as AddressInfo;
  return { entrance, url: `http://127.0.0.1:${port}` };
}

test("during a start, probes, API clients and browsers are each told what is still being prepared", async () => {
  const { entrance, url } = await opened();
  const [webApp, database] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const made = [entrance.making("webApp", webApp.promise), entrance.making("database", database.promise)];

  const probe = await fetch(`${url}/readyz`);
  expect([probe.status, probe.headers.get("retry-after")]).toEqual([503, "2"]);
  expect(probe.headers.get("content-length"), "a plain client knows where it ends").not.toBeNull();
  expect(await probe.json()).toEqual({ status: "starting", making: ["the web app", "the database"] });
  expect(await (await fetch(`${url}/livez?x`)).json()).toEqual({ status: "live" });

  const call = await fetch(`${url}/api/v1/contracts`, { method: "POST", body: "x".repeat(1_000_000) });
  expect([call.status, call.headers.get("retry-after"), call.headers.get("connection")]).toEqual([
    503,
    "2",
    "close",
  ]);
  expect(await call.json()).toEqual({
    error: {
      code: "unavailable",
      message:
        "Countersign is starting: the web app and the database are still being prepared. Try again in a few seconds.",
      details: null,
    },
  });

  webApp.resolve();
  await made[0];
  const page = await fetch(`${url}/contracts?q=a`, { headers: { accept: "text/html,*/*;q=0.8" } });
  expect([page.status, page.headers.get("retry-after")]).toEqual([503, "2"]);
  expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");
  const text = await page.text();
  expect(text).toContain("Still being prepared: the database.");
  expect(text).not.toContain("the web app");

  entrance.handOver(
    (_, response) => response.end("the product"),
    (_, response) => response.end("the product"),
  );
  expect(await (await fetch(`${url}/readyz`)).text()).toBe("the product");
  database.reject(new Error("no database"));
  await expect(made[1]).rejects.toThrow("no database");
  await entrance.close();
});

test("a starting server answers 503 to an upload with Expect: 100-continue without asking for its body", async () => {
  const { entrance, url } = await opened();
  const answer = await new Promise<{ status: number | undefined; continued: boolean }>((resolve, reject) => {
    let continued = false;
    const upload = request(`${url}/api/v1/documents`, {
      method: "POST",
      headers: { expect: "100-continue", "content-length": 50_000_000 },
    });
    upload.on("continue", () => (continued = true));
    upload.on("response", (response) => {
      resolve({ status: response.statusCode, continued });
      upload.destroy();
    });
    upload.on("error", reject);
    upload.flushHeaders();
  });
  expect(answer).toEqual({ status: 503, continued: false });
  await entrance.close();
});
