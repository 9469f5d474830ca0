/** A rolling update and a server of the previous version: its tables gain columns, and then it is replaced. */
import { Agent, request } from "node:http";
import pg from "pg";
import { apiWith, expect, test } from "../fixtures.ts";
import { startServer } from "../server.ts";
import { uploadInstallation } from "../upload-installation.ts";

/** Sends one request over this agent's connections. */
function ask(agent: Agent, url: string, key: string) {
  return new Promise<{ status: number; connection: string | undefined; text: string }>((resolve, reject) => {
    const asked = request(url, { agent, headers: { "x-api-key": key } }, async (response) => {
      let text = "";
      for await (const chunk of response) text += chunk;
      resolve({ status: response.statusCode!, connection: response.headers.connection, text });
    });
    asked.on("error", reject).end();
  });
}

/** Writes and reads a little of everything. */
async function walk(api: ReturnType<typeof apiWith>, ownerId: string): Promise<number[]> {
  const contract = { title: "Agreement", type: "NDA", ourRole: "VENDOR", ownerId };
  const created = await api("POST /contracts", { body: contract });
  const { id } = created.body.contract;
  const named = await api("POST /counterparties", { body: { name: "C" } });
  const counterpartyId = named.body.counterparty.id;
  const due = { contractId: id, kind: "PAYMENT", title: "Pay", anchorType: "FIXED_DATE" };
  const replies = [
    ...[created, named],
    await api(`PATCH /contracts/${id}`, { body: { counterpartyId } }),
    await api(`POST /contracts/${id}/status`, { body: { next: "IN_REVIEW" } }),
    await api("POST /obligations", { body: { ...due, fixedDate: "2040-01-31" } }),
    await api(`GET /contracts/${id}`),
    await api("GET /contracts?q=agree"),
    await api("GET /obligations"),
    await api("GET /audit-events"),
    await api(`GET /counterparties/${counterpartyId}`),
  ];
  return replies.map(({ status }) => status);
}

test("columns added by a later version fail no request of a running server, which drains and exits on SIGTERM", async () => {
  const installation = await uploadInstallation();
  const { key, ownerId, environment } = installation;
  const server = await startServer({ ...environment, DRAIN_SECONDS: "10" });
  const database = new pg.Client({ connectionString: environment.DATABASE_URL });
  const agent = new Agent({ keepAlive: true });
  try {
    const api = apiWith(key, server.url);
    const all = [201, 201, 200, 200, 201, 200, 200, 200, 200, 200];
    expect(await walk(api, ownerId)).toEqual(all);
    await database.connect();
    const { rows } = await database.query<{ name: string }>(
      "SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> '_prisma_migrations'",
    );
    expect(rows.length).toBeGreaterThan(40);
    for (const { name } of rows) await database.query(`ALTER TABLE ${name} ADD COLUMN "later" text`);
    // Its connections have already prepared these statements.
    for (let time = 1; time <= 3; time += 1) expect(await walk(api, ownerId)).toEqual(all);
    expect(server.output()).not.toMatch(/"level":[45]0/);

    const contracts = `${server.url}/api/v1/contracts`;
    expect(await ask(agent, contracts, key)).toMatchObject({ status: 200, connection: "keep-alive" });
    const ended = server.stop("SIGTERM");
    const readiness = () => ask(agent, `${server.url}/readyz?probe`, key);
    await expect.poll(async () => (await readiness()).text).toBe('{"status":"stopping"}');
    expect(await readiness()).toMatchObject({ status: 503, connection: "close" });
    expect(await ask(agent, contracts, key)).toMatchObject({ status: 200, connection: "close" });
    expect(await ask(agent, `${server.url}/sign-in`, key)).toMatchObject({
      status: 200,
      connection: "close",
    });
    expect(await ended).toBe(0);
    await expect(ask(agent, contracts, key)).rejects.toThrow("ECONNREFUSED");
  } finally {
    agent.destroy();
    await database.end().catch(() => undefined);
    await server.stop();
    await installation.close();
  }
});
