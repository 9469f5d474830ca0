/** Requests to a cluster in which anything may be down: retried until the outcome is known. */
import { setTimeout as pause } from "node:timers/promises";
import type { Reply } from "../fixtures.ts";
import type { History } from "./history.ts";

/** Longer than anything stays broken on purpose. */
const patienceMs = 180_000;

/** A bug in the product does not go away once everything works again. */
const patienceWithMistakesMs = 15_000;

/** Error codes that mean "try again later", whatever the status. */
const later = new Set(["idempotency_in_progress", "rate_limited", "unsigned_pdf_not_ready"]);

export interface Answer extends Reply {
  bytes: Buffer;
}

/** Sends one request. Status 0 means that its outcome is unknown. */
export async function ask(url: string, init: RequestInit): Promise<Answer> {
  try {
    const response = await fetch(url, { redirect: "manual", signal: AbortSignal.timeout(15_000), ...init });
    const bytes = Buffer.from(await response.arrayBuffer());
    const text = bytes.toString();
    const isJson = response.headers.get("content-type")?.includes("json");
    const body = isJson && text ? JSON.parse(text) : null;
    return { status: response.status, headers: response.headers, bytes, text, body };
  } catch (error) {
    return { status: 0, headers: new Headers(), bytes: Buffer.of(), text: String(error), body: null };
  }
}

const isDecided = ({ status, body }: Reply) =>
  status >= 200 && status < 500 && !later.has(body?.error?.code ?? "");

/** Sends the same request until its outcome is decided. A 500 is recorded as an error: no fault excuses it. */
export async function insist<One extends Reply>(
  history: History,
  what: string,
  send: () => Promise<One>,
): Promise<One> {
  let deadline = Date.now() + patienceMs;
  for (;;) {
    const reply = await send();
    if (reply.status === 500) {
      history.add({ what: "wronged", says: `${what}: ${reply.text.slice(0, 300)}` });
      deadline = Math.min(deadline, Date.now() + patienceWithMistakesMs);
    }
    if (isDecided(reply)) return reply;
    if (Date.now() > deadline)
      throw new Error(`${what} is still ${reply.status}: ${reply.text.slice(0, 300)}`);
    await pause(150);
  }
}

/** Polls until the value is there; throws after `forMs`. */
export async function until<Found>(
  what: string,
  look: () => Found | Promise<Found>,
  forMs = patienceMs,
): Promise<NonNullable<Found>> {
  const deadline = Date.now() + forMs;
  for (;;) {
    const found = await look();
    if (found) return found;
    if (Date.now() > deadline) throw new Error(`${what} did not come.`);
    await pause(50);
  }
}
