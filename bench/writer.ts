/** Changes the workspace while others read it: one real change every 50 ms. */
import pg from "pg";
import { newId } from "#lib/core/ids.ts";
import type { Seeded } from "./seed.ts";

const everyMs = 50;

export class Writer {
  #client: pg.Client;
  #workspace: Seeded;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<unknown> = Promise.resolve();

  constructor(url: string, workspace: Seeded) {
    this.#client = new pg.Client({ connectionString: url });
    this.#workspace = workspace;
  }

  connect(): Promise<unknown> {
    return this.#client.connect();
  }

  start(): void {
    this.#timer = setInterval(() => {
      this.#running = this.#running.then(() => this.#change());
    }, everyMs);
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#running;
  }

  async close(): Promise<void> {
    await this.stop();
    await this.#client.end();
  }

  async #change(): Promise<void> {
    const { organizationId, contractIds } = this.#workspace;
    const id = contractIds[Math.floor(Math.random() * contractIds.length)];
    await this.#client.query({
      name: "touch",
      text: `WITH touched AS (
          UPDATE contracts SET last_activity_at = now(), updated_at = now(), revision = revision + 1
          WHERE organization_id = $1 AND id = $2 RETURNING id, title)
        INSERT INTO audit_events (organization_id, id, action, contract_id, contract_title, payload)
        SELECT $1, $3, 'CONTRACT_UPDATED', id, title, $4 FROM touched`,
      values: [organizationId, id, newId("auditEvent"), this.#payload(id)],
    });
  }

  #payload(id = ""): string {
    const target = { type: "contract", id };
    const actor = { kind: "system", id: "bench" };
    const unknown = { changes: null, reason: null, ip: null, userAgent: null, requestId: null };
    return JSON.stringify({ target, ...unknown, actor });
  }
}
