/** A disk that is full or read-only, and a database that dies in the middle of everything. */
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { openPostgres } from "#prisma/embedded/postgres.ts";
import { findPostmaster, stopPostmaster } from "#prisma/embedded/postmaster.ts";
import { migrate } from "#prisma/migrate.ts";
import { workspaceIn } from "../admin.ts";
import { simplePdf } from "../corpus/pdf.ts";
import { uploadForm, uploadJson } from "../documents.ts";
import { apiWith, expect, test } from "../fixtures.ts";
import { type Browser, openBrowser } from "../members.ts";
import { startServer } from "../server.ts";

const run = promisify(execFile);
const isRoot = process.getuid?.() === 0;

/** Runs a program that sees its own disk of 2 MB at $DATA_DIR. */
const onSmallDisk = [
  ...["unshare", ...(isRoot ? ["--mount"] : ["--user", "--map-root-user", "--mount"])],
  ...["sh", "-c", 'mount -t tmpfs -o size=2m none "$DATA_DIR" && exec "$@"', "sh"],
];

const canMount = () =>
  run(onSmallDisk[0]!, [...onSmallDisk.slice(1), "true"], { env: { ...process.env, DATA_DIR: "/mnt" } }).then(
    () => true,
    () => false,
  );

async function storageOf(url: string) {
  const ready = await fetch(`${url}/readyz`);
  const { checks } = (await ready.json()) as { checks: Record<string, { ok: boolean; reason?: string }> };
  return { status: ready.status, storage: checks.storage };
}

test("uploads get 503 while the disk is full or read-only, /readyz says why, and both recover afterwards", async () => {
  test.skip(!(await canMount()), "this system does not let a test mount a small disk");
  const [dataDir, folder] = await Promise.all(
    ["disk", "database"].map((name) => mkdtemp(join(tmpdir(), `countersign-${name}-`))),
  );
  const postgres = await openPostgres(folder!);
  await migrate(postgres.url);
  const environment = { DATABASE_URL: postgres.url, DATA_DIR: dataDir!, WORKER: "off" };
  const { key, userId } = await workspaceIn(environment);
  const server = await startServer(environment, onSmallDisk);
  const pid = String(server.process.pid);
  const disk = `/proc/${pid}/root${dataDir}`;
  try {
    const api = apiWith(key, server.url);
    const fields = { title: "T", type: "NDA", ourRole: "VENDOR", ownerId: userId };
    const { id } = (await api("POST /contracts", { body: fields })).body.contract;
    const document = (text: string) => ({
      ...{ fileName: "a.pdf", contentType: "application/pdf" },
      bytes: simplePdf(text),
    });
    expect((await uploadForm(api, id, document("before"))).status).toBe(201);
    expect(await storageOf(server.url)).toEqual({ status: 200, storage: { ok: true } });

    const refused = async (reason: string) => {
      const replies = [
        await uploadForm(api, id, document(reason)),
        await uploadJson(api, id, document(`${reason} in JSON`)),
      ];
      for (const { status, body, text, headers } of replies) {
        expect([status, body.error.code], text).toEqual([503, "unavailable"]);
        expect(headers.get("retry-after")).toBe("1");
        expect(body.error.message).toMatch(/file storage.*Nothing was changed\.$/);
      }
      expect(await storageOf(server.url)).toEqual({ status: 503, storage: { ok: false, reason } });
      expect((await api(`GET /contracts/${id}`)).status).toBe(200);
    };
    await writeFile(join(disk, "filling"), Buffer.alloc(4_000_000)).catch(() => undefined);
    await refused("the disk is full");
    await rm(join(disk, "filling"));
    expect((await uploadForm(api, id, document("with room again"))).status).toBe(201);

    const inside = ["-t", pid, "-m", ...(isRoot ? [] : ["-U", "--preserve-credentials"])];
    await run("nsenter", [...inside, "mount", "-o", "remount,ro", dataDir!]);
    await refused("the disk is read-only");
    await run("nsenter", [...inside, "mount", "-o", "remount,rw", dataDir!]);
    expect((await uploadForm(api, id, document("writable again"))).status).toBe(201);
    expect((await storageOf(server.url)).status).toBe(200);
    expect(server.output()).not.toContain('"level":50');
  } finally {
    await server.stop();
    await postgres.close();
    for (const one of [dataDir!, folder!]) await rm(one, { recursive: true, force: true, maxRetries: 10 });
  }
});

/** Requests a page as a browser does: compressed. */
async function pageAt(member: Browser, path: string) {
  const answer = await member.get(path, { accept: "text/html", "accept-encoding": "gzip" });
  return { status: answer.status, text: await answer.text(), headers: answer.headers };
}

const slowly = { timeout: 60_000 };

interface Seen {
  call: string;
  status: number;
  message: string;
}

test("when the database dies, the API and the web app return 503, and a write in doubt is reported as such", async () => {
  test.setTimeout(300_000);
  const dataDir = await mkdtemp(join(tmpdir(), "countersign-faults-"));
  const environment = { DATA_DIR: dataDir, RATE_LIMIT_PER_MINUTE: "0", SIGN_IN_ATTEMPTS: "0", WORKER: "off" };
  const postgres = await openPostgres(dataDir);
  await migrate(postgres.url);
  const { key, userId } = await workspaceIn({ ...environment, DATABASE_URL: postgres.url });
  const server = await startServer({ ...environment, DATABASE_URL: postgres.url });
  let calling: Promise<void>[] = [];
  let isOver = false;
  try {
    const api = apiWith(key, server.url);
    const owner = ["o@test.example", "a long password"] as const;
    const member = openBrowser(server.url);
    expect((await member.signIn(...owner)).error).toBeNull();
    const body = { title: "T", type: "NDA", ourRole: "VENDOR", ownerId: userId };
    const contractId = (await api("POST /contracts", { body })).body.contract.id;
    const document = { fileName: "a.pdf", contentType: "application/pdf", bytes: simplePdf("agreed") };
    expect((await uploadForm(api, contractId, document)).status).toBe(201);
    const calls: Record<string, () => Promise<{ status: number; text?: string }>> = {
      "read by key": () => api("GET /contracts"),
      "write by key": () => api("POST /contracts", { body }),
      "write once": () =>
        api("POST /contracts", { body, headers: { "idempotency-key": String(Math.random()) } }),
      "read as member": () => member.call("contracts.list"),
      "write as member": () => member.call("counterparties.create", { name: "C" }),
      // A record named in a body must not be reported as missing because it could not be read.
      "write what names another": () => member.call("signatures.createDraft", { contractId }),
      session: async () => {
        const answer = await member.get("/api/auth/session");
        return { status: answer.status, text: await answer.text() };
      },
      page: async () => {
        const { status, text } = await pageAt(member, "/contracts");
        if (status === 503) pages.add(text);
        return { status };
      },
      "sign in": async () => ({ status: (await openBrowser(server.url).signIn(...owner)).status }),
    };
    const seen: Seen[] = [];
    const pages = new Set<string>();
    calling = Object.entries(calls).flatMap(([call, send]) =>
      [1, 2].map(async () => {
        while (!isOver) {
          const { status, text } = await send();
          const message = status >= 400 && text ? JSON.parse(text).error.message : "";
          seen.push({ call, status, message });
        }
      }),
    );
    const count = (is: (status: number) => boolean) => seen.filter(({ status }) => is(status)).length;
    const served = () => count((status) => status < 300);
    const refused = () => count((status) => status === 503);
    const cluster = join(dataDir, "postgres");
    const isServed = async () => {
      const before = served();
      await expect.poll(served, slowly).toBeGreaterThan(before + 40);
    };
    const isRefused = async (hit: () => Promise<unknown>) => {
      const before = refused();
      await expect.poll(async () => hit().then(refused), slowly).toBeGreaterThan(before + 5);
    };
    await isServed();
    // Connections are terminated, one by one and in the middle of their work.
    const admin = new pg.Client({ connectionString: postgres.url, application_name: "test" });
    admin.on("error", () => undefined);
    await admin.connect();
    const cutOff = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'countersign'`;
    await isRefused(() => admin.query(cutOff));
    const isInDoubt = ({ message }: Seen) => message.includes("is not known");
    const doubts = () => admin.query(cutOff).then(() => seen.filter(isInDoubt).length);
    await expect.poll(doubts, slowly).toBeGreaterThan(0);
    await isServed();
    // PostgreSQL is killed, and recovers at its own pace.
    process.kill((await findPostmaster(cluster))!.pid, "SIGKILL");
    await isRefused(async () => undefined);
    await isServed();
    // PostgreSQL is told to stop, and refuses connections for longer than a page waits.
    const stopAgain = async () => {
      // It may exit between being found and being told.
      await stopPostmaster(cluster).catch(() => undefined);
      return pages.size;
    };
    await isRefused(stopAgain);
    await expect.poll(stopAgain, { ...slowly, intervals: [100] }).toBeGreaterThan(0);
    isOver = true;
    await Promise.all(calling);
    const others = seen.filter(({ status }) => ![200, 201, 503].includes(status));
    expect(others).toEqual([]);
    const told = seen.filter(({ status, message }) => status === 503 && message !== "");
    for (const { call, message } of told) {
      const isKnown = !call.startsWith("write");
      expect(message, call).toMatch(
        isKnown ? /Nothing was changed\.$/ : /(changed|before you send it again)\.$/,
      );
    }
    expect(pages.size, "one text for all").toBe(1);
    expect([...pages][0]).toContain("Try again");
    expect(member.cookies.has("countersign.session"), "it signs no one out").toBe(true);
    expect(server.output()).not.toContain('"level":50');
  } finally {
    isOver = true;
    await Promise.allSettled(calling);
    await server.stop();
    await postgres.close();
    await rm(dataDir, { recursive: true, force: true, maxRetries: 10 });
  }
});

/** A relay between a server and its database, which is unreachable while the relay is closed. */
async function relayTo(port: number) {
  const open = new Set<Socket>();
  const relay = createServer((near) => {
    const far = connect(port, "127.0.0.1");
    for (const socket of [near, far]) {
      open.add(socket);
      socket.on("error", () => undefined).on("close", () => open.delete(socket));
    }
    near.pipe(far).pipe(near);
  });
  const listen = (at: number) => new Promise<void>((resolve) => relay.listen(at, "127.0.0.1", resolve));
  await listen(0);
  const { port: own } = relay.address() as AddressInfo;
  const close = () => {
    relay.close();
    for (const socket of open) socket.destroy();
  };
  return { port: own, close, reopen: () => listen(own) };
}

test("while the database is unreachable, pages return 503 and offer to try again, and recover once it is back", async () => {
  test.setTimeout(180_000);
  const dataDir = await mkdtemp(join(tmpdir(), "countersign-faults-"));
  const environment = { DATA_DIR: dataDir, RATE_LIMIT_PER_MINUTE: "0", WORKER: "off" };
  const postgres = await openPostgres(dataDir);
  await migrate(postgres.url);
  await workspaceIn({ ...environment, DATABASE_URL: postgres.url });
  const url = new URL(postgres.url);
  const relay = await relayTo(Number(url.port));
  url.port = String(relay.port);
  const server = await startServer({ ...environment, DATABASE_URL: url.href });
  try {
    const member = openBrowser(server.url);
    expect((await member.signIn("o@test.example", "a long password")).error).toBeNull();
    const paths = ["/home", "/contracts", "/settings/members", "/workspaces"];
    const statuses = async () => {
      const pages = paths.map(async (path) => (await pageAt(member, path)).status);
      return Promise.all(pages);
    };
    expect(await statuses()).toEqual(paths.map(() => 200));
    relay.close();
    for (const path of paths) {
      const { status, text, headers } = await pageAt(member, path);
      expect(status, path).toBe(503);
      expect(text).toContain("This page cannot be shown at the moment");
      expect(text).toContain("Try again");
      expect(text.match(/<html/g)).toHaveLength(1);
      expect(headers.get("retry-after")).toBe("1");
      expect(headers.get("content-type")).toContain("text/html");
      expect(headers.get("content-security-policy")).toContain("default-src 'none'");
    }
    expect(member.cookies.has("countersign.session"), "it signs no one out").toBe(true);
    await relay.reopen();
    await expect.poll(statuses, { timeout: 30_000 }).toEqual(paths.map(() => 200));
  } finally {
    await server.stop();
    relay.close();
    await postgres.close();
    await rm(dataDir, { recursive: true, force: true, maxRetries: 10 });
  }
});
