/** Fixtures for webhook tests: a receiver for each, and helpers for endpoints. */
import { test as base, expect, type Workspace } from "./fixtures.ts";
import { type Receiver, startReceiver } from "./receiver.ts";

export const test = base.extend<{ receiver: Receiver }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures from the pattern.
  receiver: async ({}, use) => {
    const receiver = await startReceiver();
    await use(receiver);
    await receiver.close();
  },
});

/** Creates an endpoint for the receiver; returns it with its secret. */
export async function subscribe({ api }: Workspace, { url }: Receiver, fields: Record<string, unknown> = {}) {
  const made = await api("POST /webhook-endpoints", { body: { url, ...fields } });
  expect(made.status, made.text).toBe(201);
  return { ...made.body.endpoint, secret: made.body.secret as string };
}

/** Waits until the receiver has got this many requests, and expects no more. */
export async function received(receiver: Receiver, count: number): Promise<Receiver["received"]> {
  await expect.poll(() => receiver.received.length, { timeout: 60_000 }).toBeGreaterThanOrEqual(count);
  expect(receiver.received).toHaveLength(count);
  return receiver.received;
}

/**
 * Returns how long the webhook of a new contract takes at best: a busy machine may delay any of them, but hardly all
 * five. Stops once one has arrived within a second.
 */
export async function quickestMs(workspace: Workspace, receiver: Receiver): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let count = 1; count <= 5 && least >= 1000; count++) {
    const before = receiver.received.length;
    const began = Date.now();
    await workspace.contract();
    least = Math.min(least, (await received(receiver, before + 1)).at(-1)!.at - began);
  }
  return least;
}

/** Returns the newest delivery of an endpoint, once it has this status. */
export async function delivery({ api }: Workspace, endpointId: string, status: string) {
  const list = async () => (await api(`GET /webhook-endpoints/${endpointId}/deliveries`)).body.deliveries;
  await expect.poll(async () => (await list())[0]?.status, { timeout: 60_000 }).toBe(status);
  return (await list())[0];
}

export { expect };
