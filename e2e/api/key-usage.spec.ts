import { countCall, writeCounts } from "#lib/keys/usage.ts";
import { expect, test } from "../fixtures.ts";
import { signedIn } from "../members.ts";

interface Row {
  day: string;
  operation: string;
  calls: number;
  refused: number;
}

test("an API key's usage counts its calls and refusals per operation", async ({ workspace }) => {
  const admin = await signedIn(workspace, "admin");
  const { id, key } = await workspace.mint("read_only");
  const as = (request: `${string} /${string}`) => workspace.api(request, { key });
  for (const request of ["GET /contracts", "GET /contracts?page=2", "GET /me"] as const) await as(request);
  expect((await as("GET /contracts/ctr_none")).status).toBe(404);
  expect((await as("GET /audit-events")).status).toBe(403);
  const usage = async (): Promise<Row[]> => (await admin.call("apiKeys.usage", { id })).body.data;
  await expect
    .poll(async () => (await usage()).reduce((sum, { calls }) => sum + calls, 0), { timeout: 20_000 })
    .toBe(5);
  // A test may start before midnight and end after it, so days are added up.
  const counted = new Map<string, { calls: number; refused: number }>();
  for (const { operation, calls, refused } of await usage()) {
    const before = counted.get(operation) ?? { calls: 0, refused: 0 };
    counted.set(operation, { calls: before.calls + calls, refused: before.refused + refused });
  }
  expect(Object.fromEntries(counted)).toEqual({
    "GET /contracts": { calls: 2, refused: 0 },
    "GET /me": { calls: 1, refused: 0 },
    "GET /contracts/{id}": { calls: 1, refused: 1 },
    "GET /audit-events": { calls: 1, refused: 1 },
  });
});

test("an API key's usage is counted by UTC day, and lists the last 30 days, newest first", async ({
  workspace,
}) => {
  const admin = await signedIn(workspace, "admin");
  const { id } = await workspace.mint("read_only");
  const key = { ...workspace.ctx, actor: { kind: "api_key" as const, id, name: "K" } };
  const midnight = new Date().setUTCHours(0, 0, 0, 0);
  const day = (time: number) => new Date(time).toISOString().slice(0, 10);
  const longAgo = midnight - 40 * 24 * 60 * 60 * 1000;
  for (const time of [longAgo, midnight - 1, midnight - 1, midnight]) {
    countCall(key, "GET /me", new Date(time), false);
  }
  await writeCounts();
  const { data } = (await admin.call("apiKeys.usage", { id })).body;
  expect(data).toEqual([
    { day: day(midnight), operation: "GET /me", calls: 1, refused: 0 },
    { day: day(midnight - 1), operation: "GET /me", calls: 2, refused: 0 },
  ]);
});

test("an API key's usage is hidden from plain members and from other workspaces", async ({
  workspace,
  other,
}) => {
  const member = await signedIn(workspace, "member");
  expect((await member.call("apiKeys.usage", { id: workspace.keyId })).status).toBe(403);
  const stranger = await signedIn(other, "owner");
  expect((await stranger.call("apiKeys.usage", { id: workspace.keyId })).status).toBe(404);
});
