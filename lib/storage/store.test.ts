import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { provideSettings } from "#lib/core/env.ts";
import { findStored, readStored, store } from "./store.ts";

test("a file is read completely while the same bytes are being stored again", async () => {
  const folder = await mkdtemp(join(tmpdir(), "countersign-store-"));
  try {
    provideSettings({ DATA_DIR: folder });
    const bytes = Buffer.alloc(300_000, "the same ");
    const { sha256 } = await store("org_1", bytes);
    const early = await findStored("org_1", sha256);
    await store("org_1", bytes);
    expect(Buffer.concat(await (await early.open()).toArray()).equals(bytes)).toBe(true);
    let isOver = false;
    const storing = (async () => {
      while (!isOver) await store("org_1", bytes);
    })();
    const read = async () => (await readStored("org_1", sha256)).equals(bytes);
    const all = await Promise.all(Array.from({ length: 100 }, read)).finally(() => {
      isOver = true;
    });
    await storing;
    expect(all).toEqual(Array(100).fill(true));
  } finally {
    provideSettings({ DATA_DIR: "" });
    await rm(folder, { recursive: true, force: true });
  }
});
