/** What the members' door guarantees for a request that arrives twice, and for a page whose user has changed since. */
import { randomUUID } from "node:crypto";
import { database } from "#lib/core/db.ts";
import { once } from "#lib/http/idempotency.ts";
import { expect, type Reply, test, type Workspace } from "../fixtures.ts";
import { type Browser, code, type Member, signedIn } from "../members.ts";
import { sent } from "../signing.ts";

const send = (member: Browser, name: string, input: unknown, key: string): Promise<Reply> =>
  member.post(name, { body: JSON.stringify(input), headers: { "idempotency-key": key } });

const countOf = async ({ api }: Workspace, path: "/contracts" | "/counterparties") => {
  const { body } = await api(`GET ${path}`);
  return body.total ?? body.data.length;
};

test("a member's request with an Idempotency-Key takes effect once, and a repeat gets the same response", async ({
  workspace,
}) => {
  const member = await signedIn(workspace, "member");
  const key = randomUUID();
  const first = await send(member, "counterparties.create", { name: "Northwind" }, key);
  const second = await send(member, "counterparties.create", { name: "Northwind" }, key);
  expect([first.status, first.headers.get("idempotent-replayed")]).toEqual([201, null]);
  expect([second.text, second.headers.get("idempotent-replayed")]).toEqual([first.text, "true"]);
  const other = await send(member, "counterparties.create", { name: "Contoso" }, key);
  expect(code(other)).toBe("409 idempotency_key_reused");
  expect(await countOf(workspace, "/counterparties")).toBe(1);
  const long = await send(member, "counterparties.create", { name: "Long" }, "x".repeat(256));
  expect(code(long)).toBe("422 validation_error");
});

test("20 identical concurrent member requests create one contract, and a retry gets its response", async ({
  workspace,
}) => {
  const member = await signedIn(workspace, "member");
  const input = { title: "Once", type: "NDA", ourRole: "VENDOR", ownerId: member.userId };
  const key = randomUUID();
  const replies = await Promise.all(
    Array.from({ length: 20 }, () => send(member, "contracts.create", input, key)),
  );
  for (const reply of replies) expect(["201", "409 idempotency_in_progress"]).toContain(code(reply));
  const again = await send(member, "contracts.create", input, key);
  expect(again.headers.get("idempotent-replayed")).toBe("true");
  expect(await countOf(workspace, "/contracts")).toBe(1);
});

test("an Idempotency-Key is scoped to one member and one operation", async ({ workspace }) => {
  const [one, two] = await Promise.all([signedIn(workspace, "member"), signedIn(workspace, "member")]);
  const key = randomUUID();
  const input = { name: "Northwind" };
  expect((await send(one, "counterparties.create", input, key)).status).toBe(201);
  const theirs = await send(two, "counterparties.create", input, key);
  expect([theirs.status, theirs.headers.get("idempotent-replayed")]).toEqual([201, null]);
  const contract = { title: "Same key", type: "NDA", ourRole: "VENDOR", ownerId: one.userId };
  expect((await send(one, "contracts.create", contract, key)).status).toBe(201);
});

test("a repeated request replays its response even if it changed nothing", async ({ workspace }) => {
  const { id, title } = await workspace.contract();
  const member = await signedIn(workspace, "member");
  const key = randomUUID();
  expect((await send(member, "contracts.patch", { id, title }, key)).status).toBe(200);
  const again = await send(member, "contracts.patch", { id, title }, key);
  expect([again.status, again.headers.get("idempotent-replayed")]).toEqual([200, "true"]);
});

test("a repeated read is performed again, so that it never returns a link that has expired", async ({
  workspace,
}) => {
  const { id } = await workspace.contract({ title: "Before" });
  const member = await signedIn(workspace, "member");
  const key = randomUUID();
  expect((await send(member, "contracts.read", { id }, key)).body.contract.title).toBe("Before");
  await workspace.api(`PATCH /contracts/${id}`, { body: { title: "After" } });
  const again = await send(member, "contracts.read", { id }, key);
  expect(again.body.contract.title).toBe("After");
  const envelope = await sent(workspace, [{ name: "Ann" }]);
  const pdf = { envelopeId: envelope.id, variant: "unsigned" };
  for (const _ of ["first", "again"]) {
    const reply = await send(member, "signatures.pdf", pdf, key);
    expect([reply.status, reply.headers.get("idempotent-replayed")]).toEqual([200, null]);
  }
});

test("of a workspace's requests with an Idempotency-Key that wait for documents, two run at once", async ({
  workspace: { ctx },
}) => {
  const running: Array<() => void> = [];
  let started = 0;
  let mostAtOnce = 0;
  const effect = async () => {
    started++;
    await new Promise<void>((done) => {
      mostAtOnce = Math.max(mostAtOnce, running.push(done));
    });
    return { status: 204, body: null, location: null };
  };
  const send = (awaitsDocuments: boolean) =>
    once(ctx, { route: "POST /contracts", key: randomUUID(), input: {}, awaitsDocuments }, effect);
  const waiting = Array.from({ length: 5 }, () => send(true));
  await expect.poll(() => started).toBe(2);
  // One that waits for no document does not wait behind them.
  const other = send(false);
  await expect.poll(() => started).toBe(3);
  const release = () => {
    for (const done of running.splice(0)) done();
    return started;
  };
  await expect.poll(release).toBe(6);
  release();
  await Promise.all([...waiting, other]);
  expect(mostAtOnce).toBe(3);
});

test("no API key's secret and no copied signing link is stored under an Idempotency-Key", async ({
  workspace,
}) => {
  const admin = await signedIn(workspace, "admin");
  const key = randomUUID();
  const input = { name: "CI", preset: "read_only" };
  const made = await send(admin, "apiKeys.create", input, key);
  const again = await send(admin, "apiKeys.create", input, key);
  expect([made.body.secret !== null, again.body.secret]).toEqual([true, null]);
  const envelope = await sent(workspace, [{ name: "Ann" }]);
  const signer = { envelopeId: envelope.id, signerId: envelope.signers[0].id };
  const links = [
    await send(admin, "signatures.copyLink", signer, key),
    await send(admin, "signatures.copyLink", signer, key),
  ].map(({ body }) => body.url);
  expect(links[0]).not.toBe(links[1]);
  const rows = await database().prisma.idempotencyRecord.findMany({
    where: { organizationId: workspace.organizationId },
  });
  expect(rows.map(({ actorId }) => actorId)).toEqual([admin.userId]);
  for (const secret of [made.body.secret, ...links.map((url) => url.split("/").at(-1))]) {
    expect(secret).toMatch(/^.{43,}$/);
    expect(JSON.stringify(rows)).not.toContain(secret);
  }
});

const asPageOf = (member: Browser, name: string, input: unknown, pageOf: string): Promise<Reply> =>
  member.post(name, { body: JSON.stringify(input), headers: { "x-page-of": pageOf } });

test("a page loaded for another member or workspace can neither read nor change anything", async ({
  workspace,
  other,
}) => {
  const member: Member & Browser = await signedIn(workspace, "member");
  const own = `${member.userId} ${workspace.organizationId}`;
  const input = { name: "Northwind" };
  for (const pageOf of [
    `${workspace.ownerId} ${workspace.organizationId}`,
    `${member.userId} ${other.organizationId}`,
    "nobody",
  ]) {
    for (const [name, body] of [
      ["counterparties.create", input],
      ["contracts.list", {}],
      ["profile.patch", { name: "Someone" }],
    ] as const) {
      if (name === "profile.patch" && pageOf.startsWith(member.userId)) continue;
      expect(code(await asPageOf(member, name, body, pageOf)), name).toBe("409 session_changed");
    }
  }
  expect(await countOf(workspace, "/counterparties")).toBe(0);
  expect((await asPageOf(member, "counterparties.create", input, own)).status).toBe(201);
});
