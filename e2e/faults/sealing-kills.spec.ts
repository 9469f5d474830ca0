/** Workers are killed while sealing: each request still gets one sealed version, and one of everything else. */
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "@playwright/test";
import { install } from "../installation.ts";
import { randomNumbers } from "../random.ts";
import { startReceiver } from "../receiver.ts";

/** `SEALING_KILLS=100 npm test -- --project=faults sealing-kills` kills a hundred. */
const kills = Number(process.env.SEALING_KILLS ?? 4);
const requests = Math.max(2, Math.ceil(kills / 3));

test(`each request is sealed once, with one event and one e-mail per person, although ${kills} workers are killed`, async () => {
  test.setTimeout(120_000 + kills * 15_000);
  const product = await install({ WEBHOOK_ALLOW_PRIVATE: "1", WEBHOOK_RETRY_SCHEDULE: "0.2,0.2,0.5" });
  const receiver = await startReceiver();
  const endpoint = { url: receiver.url, events: ["signature_request.completed"] };
  expect((await product.api("POST /webhook-endpoints", { body: endpoint })).status).toBe(201);
  const { signed: ids } = await product.sign(requests);
  const random = randomNumbers("sealing kills");
  for (let kill = 0; kill < kills; kill++) {
    const worker = product.work();
    await worker.ready;
    // Sealing takes a second or two here, so the kill comes during, before or after it.
    await pause(random() * 2000);
    await worker.end("SIGKILL");
  }
  const last = product.work();
  const left = `SELECT (SELECT count(*) FROM envelopes WHERE status <> 'COMPLETED')::int AS open,
    (SELECT count(*) FROM signing_mails WHERE state = 'QUEUED')::int AS mails,
    (SELECT count(*) FROM deliveries WHERE status IN ('PENDING', 'RETRYING'))::int AS deliveries`;
  const nothing = [{ open: 0, mails: 0, deliveries: 0 }];
  await expect.poll(() => product.select(left), { timeout: 90_000 }).toEqual(nothing);
  await last.end("SIGTERM");
  const counts = await product.select<Record<string, string>>(`
    SELECT e.id,
      (SELECT count(*) FROM document_versions v WHERE v.contract_id = e.contract_id AND source = 'SIGNED') AS versions,
      (SELECT count(*) FROM signing_events s WHERE s.envelope_id = e.id AND type = 'SEALED') AS sealed,
      (SELECT count(*) FROM signing_events s WHERE s.envelope_id = e.id AND type = 'COMPLETED') AS completed,
      (SELECT count(*) FROM signing_mails m WHERE m.envelope_id = e.id AND template = 'signing-completed'
         AND signer_id IS NOT NULL AND state = 'SENT') AS mails,
      (SELECT count(*) FROM events h WHERE h.payload::json #>> '{data,envelope,id}' = e.id) AS events,
      (SELECT count(*) FROM audit_events a WHERE a.contract_id = e.contract_id
         AND action = 'SIGNATURE_REQUEST_COMPLETED') AS told
    FROM envelopes e`);
  expect(counts.map(({ id }) => id).sort()).toEqual([...ids].sort());
  for (const { id: _, ...each } of counts) {
    expect(each).toEqual({ versions: "1", sealed: "1", completed: "1", mails: "1", events: "1", told: "1" });
  }
  // A delivery during which the worker was killed may arrive again, as the same event.
  const heard = new Map(receiver.received.map(({ event }) => [event.id, event.data.envelope.id]));
  expect([...heard.values()].sort()).toEqual([...ids].sort());
  const completed = (await product.outbox()).filter((mail) => /^Subject: Signed by everyone/m.test(mail));
  // One for the signer, one for the sender.
  expect(completed).toHaveLength(2 * requests);
  await receiver.close();
  await product.close();
});
