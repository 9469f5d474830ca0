import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { Readable, Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { expect, test } from "@playwright/test";
import { serveBy } from "./node.ts";

test("a file stream is closed if the client disconnects before its first byte is sent", async () => {
  const body = new Readable({ read: () => undefined });
  const served = Promise.withResolvers<void>();
  const server = createServer(async (request, response) => {
    request.socket.destroy();
    await once(response, "close");
    serveBy(async () => ({ status: 200, headers: {}, body }), request, response).then(
      served.resolve,
      served.reject,
    );
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  try {
    const { port } = server.address() as AddressInfo;
    await expect(fetch(`http://127.0.0.1:${port}/api/v1/files`)).rejects.toThrow();
    await served.promise;
    expect(body.destroyed).toBe(true);
  } finally {
    server.close();
  }
});

test("when an upload is refused midway, the connection stays open for the client to read the response", async () => {
  const refusing = new Writable({ write: (_chunk, _encoding, done) => done(new Error("too large")) });
  const server = createServer((request, response) => {
    serveBy(
      async ({ chunks }) => {
        await pipeline(Readable.from(chunks()), refusing).catch(() => undefined);
        return { status: 413, headers: {}, body: "too large" };
      },
      request,
      response,
    );
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const client = connect(port, "127.0.0.1");
  const [accepted] = (await once(server, "connection")) as [Socket];
  try {
    client.write("POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 2000000\r\n\r\nsome");
    const [answer] = await once(client, "data");
    expect(String(answer)).toMatch(/^HTTP\/1.1 413 /);
    client.write(Buffer.alloc(1_000_000));
    await expect.poll(() => [accepted.destroyed, accepted.bytesRead > 1_000_000]).toEqual([false, true]);
  } finally {
    client.destroy();
    server.close();
  }
});
