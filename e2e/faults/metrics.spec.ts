/** What Prometheus can read from a server. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { apiWith, expect, test } from "../fixtures.ts";
import { freePort, root, startServer } from "../server.ts";
import { uploadInstallation } from "../upload-installation.ts";

const read = (path: string) => readFileSync(join(root, path), "utf8");

/** Returns the metrics that one of our documents names, without the suffixes that Prometheus adds to histograms. */
const namedIn = (path: string) =>
  [...read(path).matchAll(/\bcountersign_\w+/g)].map(([name]) => name.replace(/_(bucket|sum|count)$/, ""));

test("/metrics needs a token, counts requests and jobs, names no workspace, and covers all alerts and dashboards", async () => {
  const installation = await uploadInstallation();
  const { key, ownerId, organizationId, environment, select } = installation;
  const token = "a-token-for-prometheus";
  const own = await freePort();
  const server = await startServer({ ...environment, METRICS_PORT: String(own), METRICS_TOKEN: token });
  try {
    const api = apiWith(key, server.url);
    const body = { title: "Agreement", type: "NDA", ourRole: "VENDOR", ownerId };
    for (let time = 1; time <= 3; time += 1) await api("POST /contracts", { body });
    await api("GET /contracts/con_none");
    await api("GET /nothing/here");
    // A response is counted once it has been sent, so read it to its end.
    await (await fetch(`${server.url}/sign-in`)).text();
    await select("SELECT graphile_worker.add_job('mail.forget', run_at => now() - interval '1 hour')");

    const read = async (url: string, authorization = `Bearer ${token}`) => {
      const response = await fetch(`${url}/metrics`, { headers: { authorization } });
      return { status: response.status, text: await response.text() };
    };
    // A process monitor has no token, and needs only this.
    expect((await fetch(`http://127.0.0.1:${own}/livez`)).status).toBe(200);
    for (const url of [server.url, `http://127.0.0.1:${own}`]) {
      for (const wrong of ["", "Bearer wrong", `Basic ${token}`])
        expect(await read(url, wrong)).toEqual({ status: 401, text: "" });
      const { status, text } = await read(url);
      expect(status).toBe(200);
      for (const line of [
        'countersign_requests_total{operation="POST /contracts",status="201"} 3',
        'countersign_requests_total{operation="GET /contracts/{id}",status="404"} 1',
        'countersign_requests_total{operation="none",status="404"} 1',
        'countersign_request_seconds_count{operation="POST /contracts"} 3',
        'countersign_queue_jobs{task="mail.forget",state="waiting"} 1',
        "countersign_database_up 1",
        "countersign_deliveries_waiting 0",
      ]) {
        expect(text).toContain(`${line}\n`);
      }
      // The page, and /readyz, which was requested until the server was ready.
      expect(text).toMatch(/^countersign_requests_total\{operation="page",status="200"\} [2-9]\d*$/m);
      expect(
        Number(/^countersign_queue_oldest_seconds\{task="mail.forget"\} (.*)$/m.exec(text)?.[1]),
      ).toBeGreaterThan(3599);
      expect(Number(/^countersign_audit_events (.*)$/m.exec(text)?.[1])).toBeGreaterThan(2);
      expect(text).not.toContain(organizationId);
      const told = new Set([...text.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name));
      const asked = [...namedIn("docs/operating.md"), ...namedIn("deploy/grafana/countersign.json")];
      expect(asked.length).toBeGreaterThan(15);
      expect(asked.filter((name) => !told.has(name))).toEqual([]);
    }
    expect((await fetch(`http://127.0.0.1:${own}/api/v1/contracts`)).status).toBe(404);
  } finally {
    await server.stop();
    await installation.close();
  }
});
