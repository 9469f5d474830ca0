/** The signers' door over HTTP: links, cookies, and who may enter. */
import { database } from "#lib/core/db.ts";
import { expect, test } from "../fixtures.ts";
import { asMember, memberOf, sent } from "../signing.ts";

const origin = () => process.env.BASE_URL!;

async function post(name: string, body: object, headers: Record<string, string> = {}) {
  const response = await fetch(`${origin()}/api/sign/${name}`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: origin(), ...headers },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text ? JSON.parse(text) : null };
}

test("a signing link is exchanged by POST for a cookie that is bound to one signer", async ({
  workspace,
}) => {
  const envelope = await sent(workspace, [{ name: "Ann" }, { name: "Ben" }]);
  const [ann, ben] = envelope.signers;
  const ctx = memberOf(workspace);
  const { url } = await asMember(ctx, "copyLink", { envelopeId: envelope.id, signerId: ann.id });
  const token = url.split("/").at(-1);
  const viewed = async () =>
    (await workspace.api(`GET /signatures/${envelope.id}`)).body.envelope.signers[0].viewedAt;
  expect(await viewed()).toBeNull();
  const opened = await post("open", { token });
  expect(opened.status).toBe(200);
  expect(opened.body.state).toMatchObject({ screen: "consent", signer: { id: ann.id } });
  expect(await viewed()).not.toBeNull();
  const cookie = opened.headers.get("set-cookie")!;
  expect(cookie).toMatch(/; HttpOnly; SameSite=Strict$/);
  const bring = { cookie: cookie.split(";")[0]!, "x-signer-id": ann.id };
  expect((await post("state", {}, bring)).body.state.signer.name).toBe("Ann");
  const stolen = { cookie: bring.cookie.replace(ann.id, ben.id), "x-signer-id": ben.id };
  expect((await post("state", {}, stolen)).status).toBe(403);
  expect((await post("state", {}, { "x-signer-id": ann.id })).status).toBe(403);
  expect((await post("open", { token: `${token.slice(0, -1)}x` })).status).toBe(404);
});

test("the signing API refuses cross-site requests, bodies that are not JSON, members' operations and GET", async ({
  workspace,
}) => {
  const envelope = await sent(workspace, [{ name: "Ann" }]);
  const signerId = envelope.signers[0].id;
  const { url } = await asMember(memberOf(workspace), "copyLink", { envelopeId: envelope.id, signerId });
  const token = url.split("/").at(-1);
  expect((await post("open", { token }, { origin: "https://evil.example" })).status).toBe(403);
  expect((await post("open", { token }, { "sec-fetch-site": "cross-site" })).status).toBe(403);
  expect((await post("open", { token }, { "content-type": "text/plain" })).status).toBe(415);
  for (const name of ["send", "signatures.send", "constructor", "ceremony.open"]) {
    expect((await post(name, { token })).status).toBe(404);
  }
  expect((await fetch(`${origin()}/api/sign/open`)).status).toBe(405);
});

test("a signer's document link serves ranges, and the view is recorded with the signer and their IP address", async ({
  workspace,
}) => {
  const envelope = await sent(workspace, [{ name: "Ann" }]);
  const signerId = envelope.signers[0].id;
  const { url } = await asMember(memberOf(workspace), "copyLink", { envelopeId: envelope.id, signerId });
  const opened = await post("open", { token: url.split("/").at(-1) }, { "x-forwarded-for": "198.51.100.1" });
  const bring = {
    cookie: opened.headers.get("set-cookie")!.split(";")[0]!,
    "x-signer-id": signerId,
  };
  const { body } = await post("document", {}, bring);
  expect(body.sha256).toBe(envelope.pdfSha256);
  const part = await fetch(body.url, { headers: { range: "bytes=0-4" } });
  expect([part.status, await part.text()]).toEqual([206, "%PDF-"]);
  const events = (await workspace.api(`GET /signatures/${envelope.id}/events`)).body.data;
  const viewed = events.find(({ type }: { type: string }) => type === "VIEWED");
  expect(viewed).toMatchObject({ actor: { kind: "SIGNER", name: "Ann" }, ipAddress: "127.0.0.1" });
});

test("a signer's action is dated when its request has arrived completely, not when it began", async ({
  workspace,
}) => {
  const envelope = await sent(workspace, [{ name: "Ann" }]);
  const signerId = envelope.signers[0].id;
  const { url } = await asMember(memberOf(workspace), "copyLink", { envelopeId: envelope.id, signerId });
  const opened = await post("open", { token: url.split("/").at(-1) });
  const text = JSON.stringify({ hash: opened.body.state.consent.hash });
  let wholeAt = 0;
  const body = new ReadableStream({
    async start(controller) {
      controller.enqueue(new TextEncoder().encode(text.slice(0, 5)));
      // Longer than a request that is sent at once may take.
      await new Promise((go) => setTimeout(go, 1500));
      wholeAt = Date.now();
      controller.enqueue(new TextEncoder().encode(text.slice(5)));
      controller.close();
    },
  });
  const cookie = opened.headers.get("set-cookie")!.split(";")[0]!;
  const reply = await fetch(`${origin()}/api/sign/consent`, {
    ...{ method: "POST", body, duplex: "half" },
    headers: { "content-type": "application/json", origin: origin(), cookie, "x-signer-id": signerId },
  } as RequestInit);
  expect(reply.status).toBe(200);
  const where = { organizationId: workspace.organizationId, id: signerId };
  const { consentAt } = await database().prisma.signer.findFirstOrThrow({ where });
  expect(consentAt!.getTime()).toBeGreaterThanOrEqual(wholeAt);
});
