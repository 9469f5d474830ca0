/** What webhook receivers learn about signing: each step once, with the request as it was then, and nothing else. */
import { createHash } from "node:crypto";
import { systemContext } from "#lib/core/context.ts";
import { expireRequest } from "#lib/signatures/daily.ts";
import { startReceiver } from "../receiver.ts";
import { asMember, memberOf, sent, signerAt } from "../signing.ts";
import { expect, subscribe, test } from "../webhooks.ts";

test.setTimeout(300_000);

const dayMs = 24 * 60 * 60 * 1000;

test("each signing step sends one event, with the request but without its fields or any signing link", async ({
  workspace,
  receiver,
}) => {
  await subscribe(workspace, receiver, { events: ["*"] });
  const ctx = memberOf(workspace);
  const people = [{ name: "Ann" }, { name: "Ben", orderIndex: 1 }];
  const deadline = new Date(Date.now() + dayMs).toISOString();
  const [declined, voided, expired, passedOn] = [
    await sent(workspace, people),
    await sent(workspace, people),
    await sent(workspace, people, { deadline }),
    await sent(workspace, people),
  ];
  const ann = await signerAt(workspace, declined);
  await ann.sign();
  await (await signerAt(workspace, declined, 1)).act("decline", { reason: "Not these terms" });
  await asMember(ctx, "void", { envelopeId: voided.id, reason: "Sent by mistake" });
  const late = systemContext(workspace.organizationId, "calendar", new Date(Date.now() + 2 * dayMs));
  await expireRequest(late, expired.id);
  const later = new Date(Date.now() + 3 * dayMs).toISOString();
  await asMember(ctx, "extend", { envelopeId: expired.id, deadline: later });
  const delegate = { name: "Cleo", email: "cleo@signers.example", reason: "On leave" };
  await (await signerAt(workspace, passedOn)).act("delegate", delegate);

  const of = (id: string) =>
    receiver.received
      .map(({ event }) => event)
      .filter(({ data }) => data.envelope?.id === id)
      .map(({ type, data, actor }) => [
        type.replace("signature_request.", ""),
        data.envelope.status,
        data.previous,
        actor.kind,
      ]);
  const begun = [
    ["created", "DRAFT", null, "USER"],
    ["sent", "SENT", { status: "DRAFT" }, "USER"],
  ];
  const expectTold = (id: string, rest: unknown[]) =>
    expect
      .poll(
        () =>
          of(id)
            .map((told) => JSON.stringify(told))
            .sort(),
        { timeout: 60_000 },
      )
      .toEqual([...begun, ...rest].map((told) => JSON.stringify(told)).sort());
  await expectTold(declined.id, [
    ["viewed", "SENT", null, "SIGNER"],
    ["signed", "PARTIALLY_SIGNED", { status: "SENT" }, "SIGNER"],
    ["declined", "DECLINED", { status: "PARTIALLY_SIGNED" }, "SIGNER"],
  ]);
  await expectTold(voided.id, [["voided", "VOIDED", { status: "SENT" }, "USER"]]);
  await expectTold(expired.id, [
    ["expired", "EXPIRED", { status: "SENT" }, "SYSTEM"],
    ["sent", "SENT", { status: "EXPIRED" }, "USER"],
  ]);
  await expectTold(passedOn.id, [["delegated", "SENT", null, "SIGNER"]]);
  for (const { event, text } of receiver.received) {
    expect(text).not.toContain("/sign/");
    expect(text).not.toContain("Head of purchasing");
    if (event.data.envelope) expect(event.data.envelope).not.toHaveProperty("fields");
  }
});

test("once receivers are notified that a request is completed, its sealed PDF can be downloaded", async ({
  workspace,
}) => {
  const asked: { status: number; sha256: string; bytes: string }[] = [];
  const receiver = await startReceiver(async ({ event }) => {
    const { status, body } = await workspace.api(
      `GET /signatures/${event.data.envelope.id}/pdf?variant=signed`,
    );
    const bytes = new Uint8Array(await (await fetch(body.url)).arrayBuffer());
    asked.push({ status, sha256: body.sha256, bytes: createHash("sha256").update(bytes).digest("hex") });
    return 204;
  });
  try {
    await subscribe(workspace, receiver, { events: ["signature_request.completed"] });
    const envelope = await sent(workspace, [{ name: "Ann" }]);
    await (await signerAt(workspace, envelope)).sign();
    await expect.poll(() => asked.length, { timeout: 60_000 }).toBe(1);
    const [download] = asked;
    expect(download).toMatchObject({ status: 200, sha256: download!.bytes });
    const { fields, ...told } = (await workspace.api(`GET /signatures/${envelope.id}`)).body.envelope;
    expect(fields.length).toBeGreaterThan(0);
    const { data } = receiver.received[0]!.event;
    // The contract's status changes in the same transaction.
    expect(data).toEqual({ envelope: told, previous: { status: "SEALING", signedVersionId: null } });
  } finally {
    await receiver.close();
  }
});
