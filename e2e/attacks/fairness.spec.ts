/** One workspace with much work, and another one with little. */
import { execFile } from "node:child_process";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { workspaceIn } from "../admin.ts";
import { uploadForm } from "../documents.ts";
import { type Api, apiWith, expect, test } from "../fixtures.ts";
import { install } from "../installation.ts";
import { signedIn } from "../members.ts";
import { pdfOf } from "../pdf.ts";
import { node, root, startServer } from "../server.ts";
import { templateIn } from "../templates.ts";

/** Creates a contract with `count` versions, which no job has read yet. */
async function upload(api: Api, ownerId: string, count: number): Promise<void> {
  const body = { title: "Agreement", type: "NDA", ourRole: "VENDOR", ownerId };
  const { id } = (await api("POST /contracts", { body })).body.contract;
  for (let index = 0; index < count; index++) {
    const bytes = await pdfOf([[`${ownerId} ${index}`]]);
    const reply = await uploadForm(api, id, { fileName: "a.pdf", contentType: "application/pdf", bytes });
    expect(reply.status, reply.text).toBe(201);
  }
}

test("a workspace's sealing and uploads overtake another workspace's earlier backlog", async () => {
  test.setTimeout(300_000);
  const product = await install({});
  try {
    const { environment, organizationId: greedy } = product;
    await product.sign(8);
    await upload(product.api, product.ownerId, 8);
    const other = await workspaceIn(environment);
    const program = join(root, "e2e", "sign-everything.ts");
    await promisify(execFile)(node, [program, other.organizationId, other.userId, "1"], {
      cwd: root,
      env: { ...process.env, ...environment },
    });
    await upload(apiWith(other.key, product.server.url), other.userId, 1);
    await product.work().ready;
    const counts = async () => {
      const [row] = await product.select<Record<"sealed" | "read" | "ahead" | "readAhead", number>>(`
        SELECT count(*) FILTER (WHERE e.organization_id <> '${greedy}')::int AS sealed,
          count(*) FILTER (WHERE e.organization_id = '${greedy}')::int AS ahead,
          (SELECT count(*)::int FROM document_versions v WHERE v.organization_id <> '${greedy}'
            AND v.source = 'UPLOADED' AND v.text_state = 'READY') AS read,
          (SELECT count(*)::int FROM document_versions v WHERE v.organization_id = '${greedy}'
            AND v.source = 'UPLOADED' AND v.text_state = 'READY') AS "readAhead"
        FROM envelopes e WHERE e.status = 'COMPLETED'`);
      return row!;
    };
    const until = async (isThere: (now: Awaited<ReturnType<typeof counts>>) => boolean) => {
      for (;;) {
        const now = await counts();
        if (isThere(now)) return now;
        // Shorter than a document takes; polling without a pause would take processor time from the workers.
        await pause(50);
      }
    };
    const [sealed, read] = await Promise.all([
      until((now) => now.sealed === 1),
      until((now) => now.read === 2),
    ]);
    expect(sealed.ahead, "sealed before the other one's").toBeLessThanOrEqual(3);
    expect(read.readAhead, "read before the other one's two").toBeLessThanOrEqual(8);
  } finally {
    await product.close();
  }
});

test("previews that wait for a renderer leave database connections for others", async ({ workspace }) => {
  const asked: ServerResponse[] = [];
  const renderer = createServer((request, response) => {
    request.resume().on("end", () => asked.push(response));
  });
  await once(renderer.listen(0, "127.0.0.1"), "listening");
  const { port } = renderer.address() as AddressInfo;
  const server = await startServer({
    ...{ GOTENBERG_URL: `http://127.0.0.1:${port}`, DATABASE_POOL: "4", WORKER: "off" },
  });
  try {
    const { id: templateId } = await templateIn(workspace.ctx, ["The parties agree."]);
    const viewer = await signedIn(workspace, "viewer", server.url);
    const previews = Array.from({ length: 8 }, (_, index) =>
      viewer.post("templates.preview", {
        body: JSON.stringify({ templateId }),
        headers: { "idempotency-key": `preview ${index}` },
      }),
    );
    await expect.poll(() => asked.length).toBe(8);
    const api = apiWith(workspace.key, server.url);
    const others = await Promise.all(Array.from({ length: 8 }, () => api("GET /contracts")));
    expect(others.map(({ status }) => status)).toEqual(others.map(() => 200));
    expect(asked.filter(({ writableEnded }) => writableEnded)).toEqual([]);
    const pdf = await pdfOf([["The parties agree."]]);
    for (const response of asked) response.writeHead(200, { "content-type": "application/pdf" }).end(pdf);
    expect((await Promise.all(previews)).map(({ status }) => status)).toEqual(previews.map(() => 200));
  } finally {
    renderer.closeAllConnections();
    renderer.close();
    await server.stop();
  }
});
