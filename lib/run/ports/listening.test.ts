import { Agent, createServer, get } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "@playwright/test";
import { provideSettings } from "#lib/core/env.ts";
import { Leaving } from "./listening.ts";

test("a server that leaves is not ready, answers requests as their connections' last ones, and then takes none", async () => {
  const leaving = new Leaving();
  const server = createServer((request, response) => {
    leaving.mark(response);
    if (!leaving.answers(request.url!, response)) response.end("served");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const agent = new Agent({ keepAlive: true });
  const ask = (path: string) =>
    new Promise<string>((resolve, reject) => {
      const asked = get({ port, path, agent }, (response) => {
        response.resume().on("end", () => resolve(`${response.statusCode} ${response.headers.connection}`));
      });
      asked.on("error", reject);
    });
  expect([await ask("/readyz"), await ask("/a")]).toEqual(["200 keep-alive", "200 keep-alive"]);
  provideSettings({ DRAIN_SECONDS: "2" });
  const left = leaving.leave(server);
  expect(await Promise.all(["/readyz?x", "/readyzx", "/a"].map(ask))).toEqual([
    "503 close",
    "200 close",
    "200 close",
  ]);
  provideSettings({ DRAIN_SECONDS: "" });
  await left;
  await expect(ask("/a")).rejects.toThrow("ECONNREFUSED");
});
