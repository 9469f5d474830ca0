/** What someone can make larger for everyone by repeating a small action. */

import { randomUUID } from "node:crypto";
import { request } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { revokeKey } from "#lib/keys/keys.ts";
import { expect, test } from "../fixtures.ts";
import { code } from "../members.ts";
import { asMember, memberOf, sent, signerAt } from "../signing.ts";

test("repeated downloads of a PDF by one caller within an hour add a single event to the request's history", async ({
  workspace,
}) => {
  const envelope = await sent(workspace, [{ name: "Ann" }]);
  const count = async (type: string) => {
    const { body } = await workspace.api(`GET /signatures/${envelope.id}/events?pageSize=100`);
    return body.data.filter((event: { type: string }) => event.type === type).length;
  };
  const unsigned = () => workspace.api(`GET /signatures/${envelope.id}/pdf?variant=unsigned`);
  for (const { status } of await Promise.all([unsigned(), unsigned(), unsigned()])) expect(status).toBe(200);
  expect((await unsigned()).status).toBe(200);
  expect(await count("DOWNLOADED")).toBe(1);
  const signer = await signerAt(workspace, envelope);
  await signer.sign();
  await expect.poll(async () => (await signer.state()).screen, { timeout: 60_000 }).toBe("completed");
  for (let times = 0; times < 3; times++) await signer.act("download");
  expect((await workspace.api(`GET /signatures/${envelope.id}/pdf`)).body.variant).toBe("signed");
  expect(
    await count("DOWNLOADED"),
    "the unsigned and the signed one by key, the signed one by the signer",
  ).toBe(3);
  const inAnHour = new Date(Date.now() + 61 * 60_000);
  await signer.act("download", {}, inAnHour);
  expect(await count("DOWNLOADED")).toBe(4);
  const log = await workspace.api("GET /audit-events?action=SIGNATURE_PDF_DOWNLOADED&limit=200");
  const bySigner = log.body.data.filter(({ apiKey }: { apiKey: object | null }) => apiKey === null);
  expect(bySigner).toHaveLength(2);
});

test("delegation stops at 100 signers per request", async ({ workspace }) => {
  test.setTimeout(180_000);
  const envelope = await sent(workspace, [{ name: "Signer 0" }]);
  const last = async () =>
    (await asMember(memberOf(workspace), "progress", { envelopeId: envelope.id })).envelope;
  const passOn = async () => {
    const now = await last();
    const index = now.signers.findIndex(({ status }: { status: string }) => status !== "DELEGATED");
    const signer = await signerAt(workspace, now, index);
    await signer.act("delegate", { name: "Another", email: `${randomUUID()}@signers.example` });
  };
  for (let signers = 1; signers < 100; signers++) await passOn();
  await expect(passOn()).rejects.toThrow(/at most 100 signers/);
  expect((await last()).signers).toHaveLength(100);
});

test("a workspace is limited to 50 webhook endpoints and 100 API keys, and removing one makes room for another", async ({
  workspace,
}) => {
  const endpoint = () =>
    workspace.api("POST /webhook-endpoints", {
      body: { url: "https://hooks.example/", events: ["*"], enabled: false },
    });
  for (let endpoints = 0; endpoints < 50; endpoints++) expect((await endpoint()).status).toBe(201);
  expect(code(await endpoint())).toBe("409 conflict");
  const { body } = await workspace.api("GET /webhook-endpoints");
  await workspace.api(`DELETE /webhook-endpoints/${body.endpoints[0].id}`);
  expect((await endpoint()).status).toBe(201);
  expect(code(await endpoint())).toBe("409 conflict");
  await expect(
    (async () => {
      for (let keys = 0; keys <= 100; keys++) await workspace.mint("read_only");
    })(),
  ).rejects.toThrow(/at most 100 API keys/);
  await revokeKey({ ...workspace.ctx, now: new Date() }, workspace.keyId);
  await workspace.mint("read_only");
  await expect(workspace.mint("read_only")).rejects.toThrow(/at most 100 API keys/);
});

test("a request whose API key is revoked while its body arrives is refused and changes nothing", async ({
  workspace,
}) => {
  const { id, key } = await workspace.mint("full_access");
  const body = JSON.stringify({
    title: "Held back",
    type: "NDA",
    ourRole: "VENDOR",
    ownerId: workspace.ownerId,
  });
  const headers = { "x-api-key": key, "content-type": "application/json", "content-length": body.length };
  const sending = request(`${process.env.BASE_URL}/api/v1/contracts`, {
    method: "POST",
    headers,
    agent: false,
  });
  const answered = new Promise<number>((resolve, reject) => {
    sending.on("response", (response) => resolve(response.resume().statusCode!)).on("error", reject);
  });
  sending.flushHeaders();
  sending.write(body.slice(0, 10));
  // Keys are checked again for bodies that take longer than half a second.
  await pause(700);
  await revokeKey({ ...workspace.ctx, now: new Date() }, id);
  sending.end(body.slice(10));
  expect(await answered).toBe(401);
  expect((await workspace.api("GET /contracts")).body.data).toEqual([]);
});
