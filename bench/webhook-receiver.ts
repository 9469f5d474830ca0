/** The receiving endpoint for webhooks: records when each request arrived, responds with 204, and validates nothing. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface Arrival {
  at: number;
  body: string;
}

export class Receiver {
  readonly arrivals: Arrival[] = [];
  readonly #server = createServer((request, response) => {
    const at = performance.now();
    const chunks: Buffer[] = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => {
      this.arrivals.push({ at, body: Buffer.concat(chunks).toString() });
      response.writeHead(204).end();
    });
  });

  async open(): Promise<this> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    return this;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  /** Waits until this many have arrived, and removes them from the list. */
  async take(count: number): Promise<Arrival[]> {
    for (const giveUpAt = performance.now() + 60_000; this.arrivals.length < count; ) {
      if (performance.now() > giveUpAt)
        throw new Error(`${this.arrivals.length} of ${count} deliveries came.`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    return this.arrivals.splice(0);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }
}
