/** Machines with a wrong clock. */
import { join } from "node:path";
import { apiWith, expect, test } from "../fixtures.ts";
import { startReceiver } from "../receiver.ts";
import { root, startServer, strictly } from "../server.ts";
import { uploadInstallation } from "../upload-installation.ts";

const wrongClock = [...strictly, "--import", join(root, "e2e", "wrong-clock.ts")];

for (const seconds of [3600, -3600]) {
  test(`a server whose clock is off by ${seconds} s uses the database's time for records, webhooks and retries`, async () => {
    const installation = await uploadInstallation();
    const { key, ownerId, environment, select } = installation;
    const receiver = await startReceiver((_, nth) => (nth === 0 ? 500 : 204));
    const settings = { WORKER: "inline", WEBHOOK_ALLOW_PRIVATE: "1", WEBHOOK_RETRY_SCHEDULE: "0.3" };
    const wrong = { ...environment, ...settings, CLOCK_WRONG_BY_SECONDS: String(seconds) };
    const server = await startServer(wrong, [], wrongClock);
    try {
      const api = apiWith(key, server.url);
      const endpoint = { url: receiver.url, events: ["contract.created"] };
      expect((await api("POST /webhook-endpoints", { body: endpoint })).status).toBe(201);
      const body = { title: "T", type: "NDA", ourRole: "VENDOR", ownerId };
      const { contract } = (await api("POST /contracts", { body })).body;
      const isNow = (time: string | number) =>
        expect(Math.abs(new Date(time).getTime() - Date.now())).toBeLessThan(300_000);
      isNow(contract.createdAt);
      isNow((await api("GET /audit-events")).body.data[0].createdAt);
      await expect.poll(() => receiver.received.length).toBe(2);
      for (const { headers } of receiver.received) isNow(Number(headers["webhook-timestamp"]) * 1000);
      const ended = "SELECT ended_at::text AS at FROM deliveries WHERE ended_at IS NOT NULL";
      await expect.poll(async () => (await select<{ at: string }>(ended)).length).toBe(1);
      isNow((await select<{ at: string }>(ended))[0]!.at);
      expect(server.output()).toContain('"alert":"clock"');
    } finally {
      await server.stop();
      await receiver.close();
      await installation.close();
    }
  });
}
