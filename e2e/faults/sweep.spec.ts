/** The sweep deletes only files that no row refers to, and not those that are new or about to be referenced. */
import { hash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { withClient } from "#prisma/client.ts";
import { simplePdf } from "../corpus/pdf.ts";
import { uploadForm } from "../documents.ts";
import { apiWith, expect, test } from "../fixtures.ts";
import { closeFile } from "../gate.ts";
import { startServer } from "../server.ts";
import { uploadInstallation } from "../upload-installation.ts";

type Installation = Awaited<ReturnType<typeof uploadInstallation>>;

const hourMs = 60 * 60 * 1000;

test.setTimeout(240_000);

test("a document that becomes referenced while the sweep examines it is kept", async () => {
  const installation = await uploadInstallation();
  const server = await startServer(installation.environment);
  try {
    const { key, ownerId, organizationId, environment } = installation;
    const api = apiWith(key, server.url);
    const body = { title: "Swept", type: "NDA", ourRole: "VENDOR", ownerId };
    const { id } = (await api("POST /contracts", { body })).body.contract;
    const bytes = simplePdf("named meanwhile");
    const file = await closeFile(environment.DATABASE_URL, organizationId, hash("sha256", bytes));
    // The upload has stored its bytes and waits to insert its row; the sweep has seen no row, and waits, too.
    const uploading = uploadForm(api, id, { fileName: "a.pdf", contentType: "application/pdf", bytes });
    await file.reached(1);
    const sweeping = installation.sweep();
    await file.reached(2);
    await file.open();
    const uploaded = await uploading;
    expect(uploaded.status, uploaded.text).toBe(201);
    await sweeping;
    const path = `/contracts/${id}/versions/${uploaded.body.version.id}/download`;
    const headers = { "x-api-key": key };
    const download = await fetch(`${server.url}/api/v1${path}`, { headers });
    expect(download.status).toBe(200);
    expect(Buffer.from(await download.arrayBuffer()).equals(bytes)).toBe(true);
  } finally {
    await server.stop();
    await installation.close();
  }
});

/** Leaves an unreferenced and a partly received file of this age. Returns a function that tells which exist. */
async function leave({ dataDir, organizationId }: Installation, name: string, ageMs: number) {
  const bytes = Buffer.from(name);
  const sha256 = hash("sha256", bytes);
  const at = new Date(Date.now() - ageMs);
  const stored = join(dataDir, "files", organizationId, sha256.slice(0, 2), sha256);
  for (const path of [stored, join(dataDir, "incoming", name)]) {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, bytes);
    await utimes(path, at, at);
  }
  return () => [existsSync(stored), existsSync(join(dataDir, "incoming", name))];
}

test("unreferenced files are kept for a day and during a backup, and then removed", async () => {
  const installation = await uploadInstallation();
  try {
    const young = await leave(installation, "young", 23 * hourMs);
    const old = await leave(installation, "old", 25 * hourMs);
    const fresh = await leave(installation, "fresh", 0);
    await withClient(installation.environment.DATABASE_URL, "countersign test", async (client) => {
      await client.query("SELECT pg_advisory_lock(hashtextextended('backup', 0))");
      await installation.sweep({});
    });
    expect(old()[0]).toBe(true);
    await installation.sweep({});
    expect([old(), young(), fresh()]).toEqual([
      [false, false],
      [true, true],
      [true, true],
    ]);
    await installation.sweep({ graceSeconds: 22 * 60 * 60 });
    expect([young(), fresh()]).toEqual([
      [false, false],
      [true, true],
    ]);
  } finally {
    await installation.close();
  }
});
