import { Agent, createServer, get, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "@playwright/test";
import { provideSettings } from "#lib/core/env.ts";
import { listen, Shutdown } from "./listening.ts";

test("a draining server fails /readyz, closes each connection after its response, and then accepts no more", async () => {
  const leaving = new Shutdown();
  const server = createServer((request, response) => {
    leaving.mark(response);
    if (!leaving.answers(request.url!, response)) response.end("served");
  });
  await listen(server, 0, "127.0.0.1");
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
  const left = leaving.shutDown(server);
  expect(await Promise.all(["/readyz?x", "/readyzx", "/a"].map(ask))).toEqual([
    "503 close",
    "200 close",
    "200 close",
  ]);
  provideSettings({ DRAIN_SECONDS: "" });
  await left;
  await expect(ask("/a")).rejects.toThrow("ECONNREFUSED");
});

test("a draining server finishes a slow download, and closes idle connections meanwhile", async () => {
  const leaving = new Shutdown();
  const whole = Buffer.alloc(30_000_000, "a");
  const server = createServer(({ url }, response) => {
    leaving.mark(response);
    response.end(url === "/whole" ? whole : "short");
  });
  await listen(server, 0, "127.0.0.1");
  const { port } = server.address() as AddressInfo;
  const agent = new Agent({ keepAlive: true });
  const short = await new Promise<IncomingMessage>((resolve) => get({ port, agent }, resolve));
  const idle = short.socket;
  await short.toArray();
  const answer = await new Promise<IncomingMessage>((resolve) => get({ port, path: "/whole" }, resolve));
  const left = leaving.shutDown(server);
  await expect.poll(() => idle.destroyed).toBe(true);
  expect(server.listening).toBe(false);
  let received = 0;
  for await (const chunk of answer) received += chunk.length;
  expect(received).toBe(whole.length);
  await left;
});

test("a draining server still receives a body that it asked for with 100 Continue", async () => {
  const leaving = new Shutdown();
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    leaving.mark(response);
    response.writeContinue();
    const body = await request.toArray();
    response.end(String(Buffer.concat(body).length));
  };
  const server = createServer((_, response) => void response.end("served")).on("checkContinue", handle);
  await listen(server, 0, "127.0.0.1");
  const { port } = server.address() as AddressInfo;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const first = await new Promise<IncomingMessage>((resolve) => get({ port, agent }, resolve));
  await first.toArray();
  const headers = { expect: "100-continue", "content-length": 10 };
  const sending = request({ port, agent, method: "POST", headers });
  const answered = new Promise<IncomingMessage>((resolve, reject) =>
    sending.once("response", resolve).once("error", reject),
  );
  await new Promise((resolve) => sending.once("continue", resolve).flushHeaders());
  expect(sending.reusedSocket).toBe(true);
  sending.write("12345");
  const left = leaving.shutDown(server);
  await expect.poll(() => server.listening).toBe(false);
  sending.end("67890");
  expect(String(Buffer.concat(await (await answered).toArray()))).toBe("10");
  await left;
});
