import { createServer } from "node:net";
import { expect, test } from "@playwright/test";
import pg from "pg";
import { openAddress } from "#e2e/standby.ts";
import { openPool } from "#lib/core/connections/pool.ts";
import { patient } from "./pool.ts";

test("until shutdown, the queue's pool retries connecting, and only broken connections fail as retryable", async () => {
  const leaving = new AbortController();
  // What accepts and says nothing more is a proxy whose server is gone.
  let attempts = 0;
  const twice = Promise.withResolvers<void>();
  const proxy = createServer((socket) => {
    socket.destroy();
    attempts += 1;
    if (attempts === 2) twice.resolve();
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const { port } = proxy.address() as { port: number };
  const pool = patient(openPool({ host: "127.0.0.1", port, max: 1 }), leaving.signal);
  const connecting = pool.connect();
  connecting.catch(() => undefined);
  await twice.promise;
  leaving.abort();
  await expect(connecting).rejects.toThrow();
  await new Promise((resolve) => proxy.close(resolve));
  await expect(pool.connect()).rejects.toThrow("ECONNREFUSED");
  await pool.end();

  const failing = (error: object, signal: AbortSignal) => {
    const client = Object.assign(new pg.Client(), { query: async () => Promise.reject(error) });
    const one = patient(openPool({ max: 1 }), signal);
    one.emit("connect", client as unknown as pg.PoolClient);
    return client.query();
  };
  const broken = new Error("Connection terminated unexpectedly");
  const staying = new AbortController().signal;
  await expect(failing(broken, staying)).rejects.toMatchObject({ code: "40001" });
  await expect(failing(broken, leaving.signal)).rejects.toBe(broken);
  const mistake = Object.assign(new Error("syntax error"), { code: "42601" });
  await expect(failing(mistake, staying)).rejects.toBe(mistake);
});

test("a queue connection that leaves a statement unanswered is closed, and the statement fails as retryable", async () => {
  const database = new URL(process.env.DATABASE_URL!);
  const address = await openAddress(Number(database.port));
  const url = address.urlOf(database.href);
  const pool = patient(openPool({ connectionString: url, max: 2 }), new AbortController().signal, 1000);
  try {
    for (const ask of [(one: pg.PoolClient) => one.query("SELECT 1"), () => pool.query("SELECT 1")]) {
      const client = await pool.connect();
      const closed = new Promise((resolve) => client.once("end", resolve));
      if (ask.length === 0) client.release();
      address.hold();
      await expect(ask(client)).rejects.toMatchObject({ code: "40001" });
      await closed;
      if (ask.length > 0) client.release();
      address.release();
    }
    expect((await pool.query("SELECT 1 AS one")).rows).toEqual([{ one: 1 }]);
  } finally {
    await pool.end();
    address.close();
  }
});
