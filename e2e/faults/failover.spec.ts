/** The primary dies and its standby takes over, behind an address that follows. The product needs no restart. */
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { workspaceIn } from "../admin.ts";
import { simplePdf } from "../corpus/pdf.ts";
import { uploadForm } from "../documents.ts";
import { type Api, apiWith, expect, type Reply, test } from "../fixtures.ts";
import { type Browser, openBrowser } from "../members.ts";
import { startReceiver } from "../receiver.ts";
import { startServer } from "../server.ts";
import { openAddress, startReplicated } from "../standby.ts";

/** Records the responses to people and programs that keep working, by what they requested. */
class Traffic {
  readonly acknowledged = new Map<string, string>();
  readonly answers = new Set<string>();
  readonly refused: Reply[] = [];
  readonly #api: Api;
  readonly #member: Browser;
  readonly #ownerId: string;
  #isOver = false;

  constructor(api: Api, member: Browser, ownerId: string) {
    this.#api = api;
    this.#member = member;
    this.#ownerId = ownerId;
  }

  /** Creates a contract, retrying with the same idempotency key until it exists. */
  async create(): Promise<void> {
    const title = randomUUID();
    const body = { title, type: "NDA", ourRole: "VENDOR", ownerId: this.#ownerId };
    while (!this.#isOver) {
      const reply = await this.#api("POST /contracts", { body, headers: { "idempotency-key": title } });
      this.answers.add(`create ${reply.status}`);
      if (reply.status === 201) return void this.acknowledged.set(reply.body.contract.id, title);
      this.refused.push(reply);
    }
  }

  async read(): Promise<void> {
    const ids = [...this.acknowledged.keys()];
    const reply = await this.#api(ids.length > 0 ? `GET /contracts/${ids.at(-1)}` : "GET /contracts");
    this.answers.add(`read ${reply.status}`);
    if (reply.status !== 200) this.refused.push(reply);
  }

  async look(): Promise<void> {
    const page = await this.#member.get("/contracts", { accept: "text/html" });
    await page.text();
    this.answers.add(`page ${page.status}`);
  }

  /** Runs all of these concurrently until the returned function is called. */
  start(): () => Promise<void> {
    this.#isOver = false;
    const ways = [() => this.create(), () => this.create(), () => this.read(), () => this.look()];
    const going = ways.map(async (way) => {
      while (!this.#isOver) await way();
    });
    return async () => {
      this.#isOver = true;
      await Promise.all(going);
    };
  }
}

test("a failover to the standby loses no acknowledged write, returns no 500 and needs no restart", async () => {
  test.setTimeout(240_000);
  const dataDir = await mkdtemp(join(tmpdir(), "countersign-failover-"));
  const both = await startReplicated();
  const { primary, standby } = both;
  const address = await openAddress(primary.port);
  const receiver = await startReceiver();
  const environment = {
    ...{ DATABASE_URL: address.urlOf(primary.url), DATA_DIR: dataDir, SECRET_KEY: "x".repeat(40) },
    ...{ RATE_LIMIT_PER_MINUTE: "0", WEBHOOK_ALLOW_PRIVATE: "1" },
  };
  const { key, userId } = await workspaceIn(environment);
  const server = await startServer(environment);
  try {
    const api = apiWith(key, server.url);
    const member = openBrowser(server.url);
    expect((await member.signIn("o@test.example", "a long password")).error).toBeNull();
    const endpoint = { url: receiver.url, events: ["contract.created"] };
    expect((await api("POST /webhook-endpoints", { body: endpoint })).status).toBe(201);
    const traffic = new Traffic(api, member, userId);
    const create = () =>
      api("POST /contracts", { body: { title: "T", type: "NDA", ourRole: "VENDOR", ownerId: userId } });
    const isReady = async () => (await fetch(`${server.url}/readyz`)).status;

    // The address points to the standby before its promotion: it only serves reads.
    address.moveTo(standby.port);
    const refused = await create();
    expect([refused.status, refused.body.error.code], refused.text).toEqual([503, "unavailable"]);
    expect(refused.headers.get("retry-after")).toBe("1");
    expect((await api("GET /contracts")).status).toBe(200);
    expect(await isReady()).toBe(503);
    const readers = Array.from({ length: 8 }, () => api("GET /contracts"));
    expect((await Promise.all(readers)).map(({ status }) => status)).toEqual(Array(8).fill(200));
    // Then to the primary again, without notice: connections to the standby stay open.
    address.moveTo(primary.port, "kept");
    await create();
    const accepted = await create();
    expect(accepted.status, `after one refusal no connection leads there: ${accepted.text}`).toBe(201);

    const stop = traffic.start();
    const goesOn = async () => {
      const before = traffic.acknowledged.size;
      await expect.poll(() => traffic.acknowledged.size, { timeout: 60_000 }).toBeGreaterThan(before + 20);
    };
    await goesOn();
    // Jobs run while the primary dies.
    const [id] = traffic.acknowledged.keys();
    const document = (text: string) => ({
      ...{ fileName: "a.pdf", contentType: "application/pdf", bytes: simplePdf(text) },
    });
    for (const text of ["one", "two", "three"]) {
      expect((await uploadForm(api, id!, document(text))).status).toBe(201);
    }
    await primary.kill();
    await expect.poll(() => traffic.answers.has("create 503")).toBe(true);
    await both.promote();
    address.moveTo(standby.port);
    await goesOn();
    await expect.poll(isReady).toBe(200);
    await stop();
    const beside = (answer: string) => !/^\w+ 503$/.test(answer);
    const usual = ["create 201", "page 200", "read 200"];
    expect([...traffic.answers].filter(beside).sort()).toEqual(usual);
    // Connections are cut while the primary is up: readers notice nothing.
    traffic.answers.clear();
    const stopAgain = traffic.start();
    await goesOn();
    address.moveTo(standby.port);
    await goesOn();
    await stopAgain();
    traffic.answers.delete("create 503");
    expect([...traffic.answers].sort()).toEqual(usual);
    for (const { headers, text } of traffic.refused) expect(headers.get("retry-after"), text).toBe("1");

    const rows = await standby.query<{ id: string; title: string }>("SELECT id, title FROM contracts");
    const kept = new Map(rows.map(({ id, title }) => [id, title]));
    for (const [id, title] of traffic.acknowledged) expect(kept.get(id), title).toBe(title);
    const titles = rows.map(({ title }) => title).filter((title) => title !== "T");
    expect(new Set(titles).size, "each key created once").toBe(titles.length);
    const told = () => new Set(receiver.received.map(({ event }) => event.data.contract.id));
    await expect
      .poll(() => [...kept.keys()].filter((id) => !told().has(id)), { timeout: 60_000 })
      .toEqual([]);

    // The new server notifies workers of jobs and deliveries, and jobs locked when the old one died are done.
    expect((await uploadForm(api, id!, document("four"))).status).toBe(201);
    const prepared = () => standby.query("SELECT pdf_state FROM document_versions");
    await expect.poll(prepared, { timeout: 60_000 }).toEqual(Array(4).fill({ pdf_state: "READY" }));
    const listening = `SELECT count(*)::int AS sessions FROM pg_stat_activity
      WHERE application_name = 'countersign worker'`;
    await expect.poll(() => standby.query(listening)).toEqual([{ sessions: 1 }]);
    const left = () =>
      standby.query("SELECT task_identifier FROM graphile_worker.jobs WHERE locked_at IS NOT NULL");
    await expect.poll(left, { timeout: 60_000 }).toEqual([]);
    expect(server.process.exitCode).toBeNull();
    expect(server.output()).not.toContain('"level":50');
  } finally {
    await server.stop();
    await receiver.close();
    address.close();
    await both.close();
    await rm(dataDir, { recursive: true, force: true, maxRetries: 10 });
  }
});
