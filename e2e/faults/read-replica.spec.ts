/** A replica beside the primary: it serves heavy reads, but never without the caller's own writes. */
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { workspaceIn } from "../admin.ts";
import { apiWith, expect, test } from "../fixtures.ts";
import { startServer } from "../server.ts";
import { openAddress, startReplicated } from "../standby.ts";

/** Reads of the public API that a replica may serve. */
const heavy = [
  ...["/contracts", "/contracts?status=DRAFT&sort=title&dir=asc", "/contracts?tag=urgent"],
  ...["/analytics/summary", "/obligations", "/counterparties"],
] as const;

test("a replica serves heavy reads that include the caller's own writes, and its failure fails no request", async () => {
  test.setTimeout(240_000);
  const dataDir = await mkdtemp(join(tmpdir(), "countersign-replica-"));
  const { primary, standby, close } = await startReplicated();
  const address = await openAddress(standby.port);
  const environment = {
    ...{ DATABASE_URL: primary.url, DATABASE_READ_URL: address.urlOf(standby.url), DATA_DIR: dataDir },
    ...{
      SECRET_KEY: "x".repeat(40),
      RATE_LIMIT_PER_MINUTE: "0",
      WORKER: "off",
      METRICS_TOKEN: "x".repeat(16),
    },
  };
  const { key, userId: ownerId } = await workspaceIn(environment);
  const server = await startServer(environment);
  // Accepts connections but never responds.
  const silent = createServer(() => undefined);
  try {
    const api = apiWith(key, server.url);
    const went = async () => {
      const headers = { authorization: `Bearer ${environment.METRICS_TOKEN}` };
      const text = await (await fetch(`${server.url}/metrics`, { headers })).text();
      const count = (where: string) =>
        Number(new RegExp(`countersign_replica_reads_total{where="${where}"} (\\d+)`).exec(text)?.[1] ?? 0);
      return {
        replica: count("replica"),
        behind: count("primary_behind"),
        away: count("primary_unreachable"),
      };
    };
    const create = async (title: string) => {
      const fields = { title, type: "NDA", ourRole: "VENDOR", ownerId, tags: ["urgent"], valueCents: 1250 };
      const made = await api("POST /contracts", { body: fields });
      expect(made.status, made.text).toBe(201);
      return made.body.contract.id as string;
    };
    const list = async () => {
      const { status, body, text } = await api("GET /contracts");
      expect(status, text).toBe(200);
      return body.data.map(({ id }: { id: string }) => id);
    };
    const paused = (is: boolean) => standby.query(`SELECT pg_wal_replay_${is ? "pause" : "resume"}()`);

    await paused(true);
    const mine = [await create("One"), await create("Two")];
    const counterparty = await api("POST /counterparties", { body: { name: "Acme" } });
    expect(counterparty.status, counterparty.text).toBe(201);
    const duty = { contractId: mine[0], kind: "OTHER", title: "Pay", anchorType: "FIXED_DATE" };
    const added = await api("POST /obligations", { body: { ...duty, fixedDate: "2030-01-31" } });
    expect(added.status, added.text).toBe(201);
    // Each is requested only once: a repeated request would come from the cache.
    const fromPrimary = new Map<string, string>();
    for (const path of heavy) {
      const { status, text } = await api(`GET ${path}`);
      expect(status, text).toBe(200);
      fromPrimary.set(path, text);
    }
    expect(JSON.parse(fromPrimary.get("/contracts")!).data.map(({ id }: { id: string }) => id)).toEqual(
      expect.arrayContaining(mine),
    );
    expect(await went()).toEqual({ replica: 0, behind: heavy.length, away: 0 });

    await paused(false);
    const number = "SELECT max(seq) AS seq FROM workspace_heads";
    const reached = async () => expect(await standby.query(number)).toEqual(await primary.query(number));
    await expect(reached).toPass();
    for (const path of heavy) {
      expect((await api(`GET ${path}`)).text, path).toBe(fromPrimary.get(path));
    }
    expect(await went(), "the replica is used").toMatchObject({ replica: heavy.length });
    for (let nth = 0; nth < 10; nth++) {
      const id = await create(`Written ${nth}`);
      expect(await list(), "one's own write is seen, however quick the replica").toContain(id);
    }

    // If the replica is down or silent, the primary responds.
    await primary.query("ALTER SYSTEM RESET synchronous_standby_names");
    await primary.query("SELECT pg_reload_conf()");
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    address.moveTo((silent.address() as { port: number }).port);
    const unheard = await create("While it is silent");
    expect(await list()).toContain(unheard);
    expect((await went()).away).toBeGreaterThan(0);
    await standby.kill();
    address.moveTo(standby.port);
    const last = await create("While it is dead");
    expect(await list()).toContain(last);
    expect(server.output()).not.toContain('"level":50');
  } finally {
    await server.stop();
    silent.close();
    address.close();
    await close();
    await rm(dataDir, { recursive: true, force: true, maxRetries: 10 });
  }
});
