/** A long import beside the workspace's other work: who waits for it, and what a failed import leaves behind. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { verifyAudit } from "#lib/audit/verify.ts";
import { importContracts } from "#lib/contracts/import/import.ts";
import { database } from "#lib/core/db.ts";
import { newId } from "#lib/core/ids.ts";
import { simplePdf } from "../corpus/pdf.ts";
import { expect, test, type Workspace } from "../fixtures.ts";
import { node, root, strictly } from "../server.ts";

/** Enough rows for their history to go through the staging table. */
const rows = 150;

/** Returns a table whose last row has a document, and the folder that contains the document. */
async function prepared({ ownerId }: Workspace, folder: string) {
  await mkdir(folder, { recursive: true });
  const bytes = simplePdf(folder);
  await writeFile(join(folder, "last.pdf"), bytes);
  const lines = Array.from({ length: rows }, (_, n) => {
    const status = n % 3 === 2 ? "ACTIVE" : "";
    return `Row ${n},NDA,VENDOR,${ownerId},Party ${n % 7},${status},${n === rows - 1 ? "last.pdf" : ""}`;
  });
  const csv = Buffer.from(
    ["title,type,ourRole,ownerId,counterpartyName,status,fileName", ...lines].join("\n"),
  );
  return { csv, folder, bytes, dryRun: false };
}

/** Holds an advisory lock of the product, by its name. */
async function holding(name: string, mode: "" | "_shared") {
  const client = new pg.Client({ connectionString: process.env.DATABASE_URL });
  await client.connect();
  await client.query("BEGIN");
  await client.query(`SELECT pg_advisory_xact_lock${mode}(hashtextextended($1, 0))`, [name]);
  const { rows } = await client.query(
    "SELECT objid, classid FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()",
  );
  const waiters = async (): Promise<number[]> => {
    const sql = `SELECT pid FROM pg_locks WHERE NOT granted AND locktype = 'advisory' AND objid = $1 AND classid = $2`;
    return (await client.query(sql, [rows[0].objid, rows[0].classid])).rows.map(({ pid }) => pid);
  };
  return {
    /** Waits until one connection waits for the lock; returns its process id. */
    async waitedFor(): Promise<number> {
      await expect.poll(waiters, { timeout: 60_000, intervals: [20] }).toHaveLength(1);
      return (await waiters())[0]!;
    },
    async release() {
      await client.query("ROLLBACK");
      await client.end();
    },
  };
}

async function leftOf({ organizationId, api }: Workspace) {
  const [{ staged, head } = { staged: -1, head: "" }] = await database().prisma.$queryRaw<
    { staged: number; head: string }[]
  >`SELECT (SELECT count(*)::int FROM staged_audit_events WHERE organization_id = ${organizationId}) AS staged,
      (SELECT seq::text FROM workspace_heads WHERE organization_id = ${organizationId}) AS head`;
  const contracts = (await api("GET /contracts")).body.total;
  const counterparties = (await api("GET /counterparties")).body.data.length;
  const { ok, events } = await verifyAudit(organizationId);
  return { staged, head, contracts, counterparties, ok, events };
}

test("an import blocks no one until its end, leaves nothing behind if killed, and can then be repeated", async ({
  workspace,
}, testInfo) => {
  const { api, organizationId } = workspace;
  const known = (await api("POST /counterparties", { body: { name: "Party 3" } })).body.counterparty;
  const { csv, folder, dryRun } = await prepared(workspace, testInfo.outputPath("documents"));
  await writeFile(testInfo.outputPath("rows.csv"), csv);
  // The last lock that the import waits for before it locks the end of the log.
  const files = await holding(`files ${organizationId}`, "_shared");
  const command = [
    "import-contracts",
    "--organization",
    organizationId,
    "--csv",
    testInfo.outputPath("rows.csv"),
  ];
  const importing = spawn(
    node,
    [...strictly, join(root, "lib", "run", "admin.ts"), ...command, "--files", folder],
    { stdio: "ignore" },
  );
  const pid = await files.waitedFor();

  const { id } = await workspace.contract({ title: "Meanwhile", counterpartyId: known.id });
  expect((await api(`PATCH /contracts/${id}`, { body: { title: "Meanwhile, again" } })).status).toBe(200);
  expect((await api(`PATCH /counterparties/${known.id}`, { body: { domain: "party.example" } })).status).toBe(
    200,
  );
  expect((await api("GET /contracts")).body.total).toBe(1);

  importing.kill("SIGKILL");
  await once(importing, "exit");
  await files.release();
  const { head } = await leftOf(workspace);
  const gone = async () =>
    (
      await database().prisma.$queryRaw<
        { count: number }[]
      >`SELECT count(*)::int AS count FROM pg_stat_activity
      WHERE pid = ${pid}`
    )[0]!.count;
  await expect.poll(gone, { timeout: 30_000, intervals: [50] }).toBe(0);
  expect(await leftOf(workspace)).toMatchObject({
    staged: 0,
    head,
    contracts: 1,
    counterparties: 1,
    ok: true,
  });

  expect(await importContracts(workspace.ctx, { csv, folder, dryRun })).toMatchObject({
    contracts: rows,
    errors: [],
  });
  const after = await leftOf(workspace);
  // Six new counterparties, the contracts, the document, and the import itself.
  const events = Number(head) + 6 + rows + 1 + 1;
  expect(after).toMatchObject({
    staged: 0,
    head: `${events}`,
    events,
    contracts: rows + 1,
    counterparties: 7,
    ok: true,
  });
  const created = (await api("GET /audit-events?action=CONTRACT_CREATED&limit=1")).body.data[0];
  expect(created).toMatchObject({
    contract: { title: `Row ${rows - 1}` },
    payload: { changes: { status: { from: null, to: "ACTIVE" } } },
  });
  expect((await api("GET /contracts?status=ACTIVE")).body.total).toBe(rows / 3);

  // Values that an insert gives for an event's place in the chain are ignored.
  await database().prisma
    .$executeRaw`INSERT INTO audit_events (organization_id, seq, id, action, payload, prev_hash, hash)
    VALUES (${organizationId}, 7, ${newId("auditEvent")}, 'DATA_IMPORTED', '{}', '\\x01', '\\x02')`;
  expect(await verifyAudit(organizationId)).toMatchObject({ ok: true, events: events + 1 });
  await workspace.contract({ title: "After" });
  expect(await verifyAudit(organizationId)).toMatchObject({ ok: true, events: events + 2 });
});

test("an import fails, naming the line, if one of its documents is uploaded to a contract meanwhile", async ({
  workspace,
}, testInfo) => {
  const { api, organizationId } = workspace;
  const { bytes, ...request } = await prepared(workspace, testInfo.outputPath("documents"));
  const { id } = await workspace.contract({ title: "Quicker" });
  // The import has looked for its documents, and is about to create its rows.
  const sweep = await holding(`sweep ${organizationId}`, "");
  const importing = importContracts(workspace.ctx, request);
  await sweep.waitedFor();
  const document = {
    ...{ fileName: "quicker.pdf", contentType: "application/pdf" },
    contentBase64: bytes.toString("base64"),
  };
  expect((await api(`POST /contracts/${id}/versions`, { body: { document } })).status).toBe(201);
  await sweep.release();
  const { contracts, errors } = await importing;
  expect([contracts, errors]).toEqual([
    0,
    [{ line: rows + 1, path: "fileName", message: expect.stringContaining('of the contract "Quicker"') }],
  ]);
  expect(await leftOf(workspace)).toMatchObject({ staged: 0, contracts: 1, counterparties: 0, ok: true });
});

test("each imported contract sends one contract.created webhook, with its actual status", async ({
  workspace,
}, testInfo) => {
  const { api, organizationId } = workspace;
  const request = await prepared(workspace, testInfo.outputPath("documents"));
  // No one listens there: only the deliveries that are written matter here.
  const endpoint = { url: "http://127.0.0.1:9/hook", events: ["contract.created"] };
  const { id } = (await api("POST /webhook-endpoints", { body: endpoint })).body.endpoint;
  expect(await importContracts(workspace.ctx, request)).toMatchObject({ contracts: rows });
  const told = await database().prisma.$queryRaw<{ title: string; status: string }[]>`
    SELECT e.payload::json #>> '{data,contract,title}' AS title, e.payload::json #>> '{data,contract,status}' AS status
    FROM deliveries d JOIN events e ON e.organization_id = d.organization_id AND e.id = d.event_id
    WHERE d.organization_id = ${organizationId}`;
  expect(new Set(told.map(({ title }) => title)).size).toBe(rows);
  expect([told.length, told.filter(({ status }) => status === "ACTIVE").length]).toEqual([rows, rows / 3]);
  // Otherwise the deliveries would be retried during other tests.
  expect((await api(`DELETE /webhook-endpoints/${id}`)).status).toBe(204);
});
