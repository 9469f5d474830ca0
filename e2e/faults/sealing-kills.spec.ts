/** Workers killed while they seal: each request still gets one sealed version, and one of everything else. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { expect, test } from "@playwright/test";
import { install } from "../installation.ts";
import { randomNumbers } from "../random.ts";
import { node, root } from "../server.ts";

/** `SEALING_KILLS=100 npm test -- --project=faults sealing-kills` kills a hundred. */
const kills = Number(process.env.SEALING_KILLS ?? 4);
const requests = Math.max(2, Math.ceil(kills / 3));

test(`${kills} workers killed while they seal: one sealed version each`, async () => {
  test.setTimeout(120_000 + kills * 15_000);
  const product = await install({});
  const { organizationId, ownerId, environment } = product;
  const args = [join(root, "e2e", "sign-everything.ts"), organizationId, ownerId, String(requests)];
  const { stdout } = await promisify(execFile)(node, args, {
    cwd: root,
    env: { ...process.env, ...environment },
  });
  const ids: string[] = JSON.parse(stdout.trim().split("\n").at(-1)!);
  const random = randomNumbers("sealing kills");
  for (let kill = 0; kill < kills; kill++) {
    const worker = product.work();
    await worker.ready;
    // Sealing takes a second or two here: somewhere in it, or before, or after.
    await pause(random() * 2500);
    await worker.end("SIGKILL");
  }
  const last = product.work();
  const open = () => product.select("SELECT 1 FROM envelopes WHERE status <> 'COMPLETED'");
  await expect.poll(async () => (await open()).length, { timeout: 90_000 }).toBe(0);
  await last.end("SIGTERM");
  const counts = await product.select<Record<string, string>>(`
    SELECT e.id,
      (SELECT count(*) FROM document_versions v WHERE v.contract_id = e.contract_id AND source = 'SIGNED') AS versions,
      (SELECT count(*) FROM signing_events s WHERE s.envelope_id = e.id AND type = 'SEALED') AS sealed,
      (SELECT count(*) FROM signing_events s WHERE s.envelope_id = e.id AND type = 'COMPLETED') AS completed,
      (SELECT count(*) FROM signing_mails m WHERE m.envelope_id = e.id AND template = 'signing-completed'
         AND signer_id IS NOT NULL) AS mails,
      (SELECT count(*) FROM audit_events a WHERE a.contract_id = e.contract_id
         AND action = 'SIGNATURE_REQUEST_COMPLETED') AS told
    FROM envelopes e`);
  expect(counts.map(({ id }) => id).sort()).toEqual([...ids].sort());
  for (const { id: _, ...each } of counts) {
    expect(each).toEqual({ versions: "1", sealed: "1", completed: "1", mails: "1", told: "1" });
  }
  await product.close();
});
