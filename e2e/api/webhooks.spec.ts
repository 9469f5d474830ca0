/** What a receiver of webhooks can rely on. */
import { test as base, expect, type Workspace } from "../fixtures.ts";
import { isSigned, type Receiver, startReceiver } from "../receiver.ts";

const test = base.extend<{ receiver: Receiver }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures off the pattern.
  receiver: async ({}, use) => {
    const receiver = await startReceiver();
    await use(receiver);
    await receiver.close();
  },
});

/** An endpoint for the receiver, and its secret. */
async function subscribe({ api }: Workspace, { url }: Receiver, fields: Record<string, unknown> = {}) {
  const made = await api("POST /webhook-endpoints", { body: { url, ...fields } });
  expect(made.status, made.text).toBe(201);
  return { ...made.body.endpoint, secret: made.body.secret as string };
}

const received = (receiver: Receiver, count: number) =>
  expect.poll(() => receiver.received.length, { timeout: 10_000 }).toBe(count);

test("a change reaches the endpoint within a second, signed, as REST returns the resource", async ({
  workspace,
  receiver,
}) => {
  const { secret } = await subscribe(workspace, receiver);
  const contract = await workspace.contract();
  const began = Date.now();
  await received(receiver, 1);
  const [request] = receiver.received;
  expect(request!.at - began).toBeLessThan(1000);
  expect(isSigned(secret, request!)).toBe(true);
  expect(request!.headers).toMatchObject({
    "content-type": "application/json",
    "user-agent": "Countersign-Webhooks",
    "webhook-id": expect.stringMatching(/^msg_[0-9a-z]{26}$/),
  });
  expect(request!.event).toEqual({
    id: expect.stringMatching(/^evt_[0-9a-z]{26}$/),
    type: "contract.created",
    timestamp: contract.createdAt,
    apiVersion: "v1",
    organizationId: workspace.organizationId,
    actor: { kind: "API_KEY", id: workspace.keyId },
    data: { contract, previous: null },
  });
});
