import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { expect, test } from "@playwright/test";
import { serveBy } from "./node.ts";

test("a file is closed where its caller has gone before the first byte of it", async () => {
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
