/** One workspace with much to do, and another one with little: in the same line of background work. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { workspaceIn } from "../admin.ts";
import { uploadForm } from "../documents.ts";
import { type Api, apiWith, expect, test } from "../fixtures.ts";
import { install } from "../installation.ts";
import { pdfOf } from "../pdf.ts";
import { node, root } from "../server.ts";

/** A contract with that many versions, which no one has read yet. */
async function upload(api: Api, ownerId: string, count: number): Promise<void> {
  const body = { title: "Agreement", type: "NDA", ourRole: "VENDOR", ownerId };
  const { id } = (await api("POST /contracts", { body })).body.contract;
  for (let index = 0; index < count; index++) {
    const bytes = await pdfOf([[`${ownerId} ${index}`]]);
    const reply = await uploadForm(api, id, { fileName: "a.pdf", contentType: "application/pdf", bytes });
    expect(reply.status, reply.text).toBe(201);
  }
}

test("what another workspace signs and uploads last does not wait for all that one has sent before", async () => {
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
        // A document takes longer than that, and asking without a pause takes the processor from those who do the work.
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
