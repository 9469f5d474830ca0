import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "@playwright/test";
import { outageOf } from "#lib/core/connections/outage.ts";
import { type Backend, Replaced } from "./backend.ts";
import { s3 } from "./s3.ts";

const key = { organizationId: "org", sha256: "a".repeat(64) };
const longestSilenceMs = 1000;

/** Runs `use` with a store that responds in this way. */
async function withStore(
  answer: RequestListener,
  use: (store: Backend) => Promise<void>,
  patienceMs = longestSilenceMs,
): Promise<void> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const credentials = { accessKeyId: "a", secretAccessKey: "b" };
  const settings = { bucket: "files", prefix: "", endpoint, region: "us-east-1", credentials };
  await use(s3(settings, patienceMs)).finally(() => {
    server.closeAllConnections();
    server.close();
  });
}

const found = { sizeBytes: 8_000_000, modifiedAt: new Date(), stamp: '"a"' };

test("a request that the file store does not answer times out and counts as a storage outage", () =>
  withStore(
    () => undefined,
    async (store) => {
      const asked = [store.find(key), store.open(key, found)];
      const refusals = await Promise.all(asked.map((asking) => asking.catch((error) => error)));
      expect(refusals.map(outageOf), refusals.join()).toEqual(["files", "files"]);
    },
  ));

test("an upload that the store does not answer counts as a storage outage, and a missing local file as ENOENT", async () => {
  const folder = await mkdtemp(join(tmpdir(), "countersign-s3-"));
  try {
    const path = join(folder, "a.pdf");
    await writeFile(path, "bytes");
    await withStore(
      (request) => void request.resume(),
      async (store) => {
        const silent = await store.put(key, path, 5).catch((error) => error);
        expect(outageOf(silent), String(silent)).toBe("files");
        const unread = await store.put(key, join(folder, "gone.pdf"), 5).catch((error) => error);
        expect(unread).toMatchObject({ code: "ENOENT" });
      },
    );
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("a download that stalls midway times out and counts as a storage outage", () =>
  withStore(
    (_, response) => void response.writeHead(200, { "content-length": found.sizeBytes }).write("begun"),
    async (store) => {
      const file = await store.open(key, found);
      const refusal = await file.toArray().catch((error) => error);
      expect(outageOf(refusal), String(refusal)).toBe("files");
    },
  ));

test("a reader that pauses for longer than the store's time-out still receives the whole file", () =>
  withStore(
    (_, response) => void response.writeHead(200).end(Buffer.alloc(found.sizeBytes)),
    async (store) => {
      let bytes = 0;
      for await (const chunk of await store.open(key, found)) {
        if (bytes === 0) await pause(3 * longestSilenceMs);
        bytes += chunk.length;
      }
      expect(bytes).toBe(found.sizeBytes);
    },
  ));

test("destroying a file stream before it is read closes its connection to the store", async () => {
  const left = Promise.withResolvers<void>();
  await withStore(
    (_, response) => {
      response.once("close", left.resolve);
      response.writeHead(200, { "content-length": found.sizeBytes }).write("begun");
    },
    async (store) => {
      (await store.open(key, found)).destroy();
      await left.promise;
    },
  );
});

test("if the connection breaks before a file is read, reading the file fails as a storage outage", () =>
  withStore(
    (_, response) => {
      response.writeHead(200, { "content-length": found.sizeBytes }).write("begun");
      setTimeout(() => response.destroy(), longestSilenceMs / 4);
    },
    async (store) => {
      const file = await store.open(key, found);
      await pause(longestSilenceMs / 2);
      const refusal = await file.toArray().catch((error) => error);
      expect(outageOf(refusal), String(refusal)).toBe("files");
    },
  ));

test("sixty unread file streams do not block opening another file", () =>
  withStore(
    (_, response) => void response.writeHead(200, { "content-length": found.sizeBytes }).write("begun"),
    async (store) => {
      const unread = await Promise.all(Array.from({ length: 60 }, () => store.open(key, found)));
      (await store.open(key, found)).destroy();
      for (const file of unread) file.destroy();
    },
    20_000,
  ));

test("opening a file that was replaced since it was found fails with Replaced", () =>
  withStore(
    (_, response) => response.writeHead(412).end(),
    async (store) => {
      await expect(store.open(key, found)).rejects.toThrow(Replaced);
    },
  ));
