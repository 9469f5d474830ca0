/** Where documents are stored, on a disk or in an S3-compatible store, and what happens when one is damaged there. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFile, mkdtemp, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { disconnect } from "#lib/core/db.ts";
import { provideSettings } from "#lib/core/env.ts";
import { openPostgres } from "#prisma/embedded/postgres.ts";
import { migrate } from "#prisma/migrate.ts";
import { pdfOfSize, simplePdf } from "../corpus/pdf.ts";
import { uploadForm, uploadJson } from "../documents.ts";
import { apiWith, expect, newWorkspace, test, type Workspace } from "../fixtures.ts";
import { freePort, node, type RunningServer, root, startServer } from "../server.ts";

let folder: string;
let store: ChildProcess | undefined;
let postgres: Awaited<ReturnType<typeof openPostgres>> | undefined;
let servers: Record<"disk" | "s3", RunningServer>;

const before = { DATABASE_URL: process.env.DATABASE_URL!, BASE_URL: process.env.BASE_URL! };

test.describe.configure({ mode: "serial" });

test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "countersign-storage-"));
  const port = await freePort();
  store = spawn(node, [join(root, "e2e", "s3-server.ts"), join(folder, "s3"), String(port)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(store.stdout!, "data");
  // A separate database: otherwise the run's server would get jobs for files that it does not have.
  postgres = await openPostgres(folder);
  await migrate(postgres.url);
  const shared = { DATABASE_URL: postgres.url, WORKER: "off" };
  const [disk, s3] = await Promise.all([
    startServer({ ...shared, DATA_DIR: join(folder, "disk") }),
    startServer({
      ...shared,
      DATA_DIR: join(folder, "temporary"),
      STORAGE: "s3://files/countersign",
      S3_ENDPOINT: `http://127.0.0.1:${port}`,
      S3_ACCESS_KEY_ID: "S3RVER",
      S3_SECRET_ACCESS_KEY: "S3RVER",
    }),
  ]);
  servers = { disk, s3 };
  await disconnect();
  provideSettings({ DATABASE_URL: postgres.url, BASE_URL: disk.url });
});

test.afterAll(async () => {
  await Promise.all(Object.values(servers ?? {}).map((server) => server.stop()));
  store?.kill();
  await disconnect();
  provideSettings(before);
  await postgres?.close();
  await rm(folder, { recursive: true, force: true });
});

/** Returns the paths of all stored files below a folder. */
async function filesIn(path: string): Promise<string[]> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile() && /^[0-9a-f]{64}(\._S3rver_object)?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}

const pdf = (bytes: Buffer) => ({ fileName: "a.pdf", contentType: "application/pdf", bytes });

async function uploaded(workspace: Workspace, server: RunningServer, bytes: Buffer) {
  const api = apiWith(workspace.key, server.url);
  const { id } = await workspace.contract();
  const reply = await uploadForm(api, id, pdf(bytes));
  expect(reply.status, reply.text).toBe(201);
  const url = `${server.url}/api/v1/contracts/${id}/versions/${reply.body.version.id}/download`;
  const headers = { "x-api-key": workspace.key };
  return {
    sha256: reply.body.version.sha256 as string,
    get: (more = {}) => fetch(url, { headers: { ...headers, ...more } }),
  };
}

for (const place of ["disk", "s3"] as const) {
  test(`on ${place}: an upload is returned byte for byte, in full and in ranges`, async ({ workspace }) => {
    const bytes = pdfOfSize(9_000_001, place);
    const { get } = await uploaded(workspace, servers[place], bytes);
    expect(Buffer.from(await (await get()).arrayBuffer()).equals(bytes)).toBe(true);
    const part = Buffer.from(await (await get({ range: "bytes=8000000-8000099" })).arrayBuffer());
    expect(part.equals(bytes.subarray(8_000_000, 8_000_100))).toBe(true);
  });

  test(`on ${place}: the same bytes are stored once per workspace`, async ({ workspace, other }) => {
    const bytes = simplePdf(`once on ${place}`);
    const { sha256 } = await uploaded(workspace, servers[place], bytes);
    await uploaded(workspace, servers[place], bytes);
    await uploaded(other, servers[place], bytes);
    const paths = (await filesIn(folder)).filter((path) => path.includes(sha256));
    expect(paths).toHaveLength(2);
    expect(new Set(paths.map((path) => path.includes(other.organizationId))).size).toBe(2);
  });

  test(`on ${place}: a damaged or missing document is never served, an alert is logged, and uploading its bytes again repairs it`, async () => {
    const workspace = await newWorkspace();
    const [damaged, shortened, missing] = await Promise.all(
      ["d", "s", "m"].map((mark) => uploaded(workspace, servers[place], simplePdf(`${mark} on ${place}`))),
    );
    const pathOf = async ({ sha256 }: { sha256: string }) =>
      (await filesIn(folder)).find(
        (path) => path.includes(sha256) && path.includes(workspace.organizationId),
      )!;
    const bytes = await readFile(await pathOf(damaged!));
    bytes[20]! ^= 1;
    await writeFile(await pathOf(damaged!), bytes);
    await appendFile(await pathOf(shortened!), "x");
    await rm(await pathOf(missing!));
    for (const { get, sha256 } of [damaged!, shortened!, missing!]) {
      const response = await get();
      expect(response.status).toBe(500);
      expect((await response.json()).error.code).toBe("internal_error");
      await expect
        .poll(() =>
          servers[place]
            .output()
            .split("\n")
            .filter((line) => line.includes(sha256))
            .join(),
        )
        .toMatch(/"level":50.*"alert":"stored file"/);
    }
    const healthy = await uploaded(workspace, servers[place], simplePdf(`healthy on ${place}`));
    expect((await healthy.get()).status).toBe(200);
    // In a bucket, an object of the right length is written again only if it is older than an hour.
    const old = new Date(Date.now() - 2 * 60 * 60 * 1000);
    await utimes(await pathOf(damaged!), old, old);
    for (const [mark, { get }] of Object.entries({ d: damaged!, s: shortened!, m: missing! })) {
      await uploaded(workspace, servers[place], simplePdf(`${mark} on ${place}`));
      expect((await get()).status, mark).toBe(200);
    }
  });
}

test("on disk: damage that occurs after a download is detected, too", async ({ workspace }) => {
  const { get, sha256 } = await uploaded(workspace, servers.disk, simplePdf("later"));
  expect((await get()).status).toBe(200);
  const path = (await filesIn(folder)).find((name) => name.includes(sha256))!;
  const bytes = await readFile(path);
  bytes[30]! ^= 1;
  await writeFile(path, bytes);
  expect((await get()).status).toBe(500);
});

test("JSON and form uploads leave no temporary file behind, whether they are accepted or refused", async ({
  workspace,
}) => {
  const api = apiWith(workspace.key, servers.disk.url);
  const { id } = await workspace.contract();
  for (const upload of [uploadForm, uploadJson]) {
    await upload(api, id, pdf(simplePdf("left")));
    await upload(api, id, pdf(Buffer.from("no document")));
    await upload(api, "ctr_nowhere", pdf(simplePdf("nowhere")));
  }
  expect(await readdir(join(folder, "disk", "incoming"))).toEqual([]);
});
