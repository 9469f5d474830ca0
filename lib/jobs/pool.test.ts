import { createServer } from "node:net";
import { expect, test } from "@playwright/test";
import { openPool } from "#lib/core/connections/pool.ts";
import { inKnownWords } from "./pool.ts";

test("whatever an outage looks like, the queue is told what it waits for; a mistake it is told as it is", async () => {
  // What accepts and says nothing more is a proxy whose server is gone.
  const proxy = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const { port } = proxy.address() as { port: number };
  const pool = openPool({ host: "127.0.0.1", port, max: 1 });
  const connect = inKnownWords(pool.connect.bind(pool));
  await expect(connect()).rejects.toMatchObject({ code: "57P03" });
  await new Promise((resolve) => proxy.close(resolve));
  await expect(connect()).rejects.toMatchObject({ code: "57P03", message: /ECONNREFUSED/ });
  await pool.end();
  const refuse = (error: object) => inKnownWords(async () => Promise.reject(error))();
  await expect(refuse(Object.assign(new Error("read-only"), { code: "25006" }))).rejects.toMatchObject({
    code: "57P03",
  });
  await expect(refuse(Object.assign(new Error("syntax"), { code: "42601" }))).rejects.toMatchObject({
    code: "42601",
  });
  expect(
    inKnownWords((callback: (error: unknown) => void) => callback(null))(() => undefined),
  ).toBeUndefined();
});
