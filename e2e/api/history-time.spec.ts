/** The time of events in history: that of the request, as the code that writes them passes it. */
import { verifyAudit } from "#lib/audit/verify.ts";
import { change } from "#lib/core/change.ts";
import { database, type Transaction } from "#lib/core/db.ts";
import { newId } from "#lib/core/ids.ts";
import { createCounterparty } from "#lib/counterparties/counterparties.ts";
import { firstBrokenLink } from "#lib/signatures/chain.ts";
import { addEvent, chainOf } from "#lib/signatures/events.ts";
import { expect, test } from "../fixtures.ts";
import { sent } from "../signing.ts";

/** A database setting that must not affect the time of history. */
const setClock = (tx: Transaction) =>
  tx.$queryRaw`SELECT set_config('countersign.clock', '2001-02-03T04:05:06Z', true)`;

test("history events carry the time of their request, whatever the database session's settings", async ({
  workspace,
}) => {
  const { ctx, organizationId } = workspace;
  const { id: envelopeId } = await sent(workspace, [{ name: "Ann" }]);
  const before = { ...ctx, now: new Date("2024-02-29T23:59:59.999Z") };
  await change(before, async (tx) => {
    await setClock(tx);
    await createCounterparty(before, { name: "Then" });
    await createCounterparty(ctx, { name: "Now" });
    await addEvent(tx, before, { envelopeId, type: "REMINDED" });
  });
  const log = await database().prisma.auditEvent.findMany({
    where: { organizationId, action: "COUNTERPARTY_CREATED" },
    orderBy: { seq: "asc" },
  });
  expect(log.map(({ createdAt }) => createdAt)).toEqual([before.now, ctx.now]);
  expect(await verifyAudit(organizationId)).toMatchObject({ ok: true });
  const chain = await chainOf(database().prisma, ctx, envelopeId);
  const reminded = chain.find(({ type }) => type === "REMINDED");
  expect(reminded).toMatchObject({ createdAt: before.now.toISOString() });
  expect(firstBrokenLink({ organizationId, envelopeId }, chain)).toBeNull();
});

test("an event of the previous version, dated by the database, fits the hash chain", async ({
  workspace: { organizationId },
}) => {
  const id = newId("auditEvent");
  await database().prisma.$transaction(async (tx) => {
    await setClock(tx);
    await tx.$executeRaw`INSERT INTO audit_events (organization_id, id, action, payload)
      VALUES (${organizationId}, ${id}, 'COUNTERPARTY_CREATED', '{}')`;
  });
  const { createdAt } = await database().prisma.auditEvent.findFirstOrThrow({
    where: { organizationId, id },
  });
  expect(Math.abs(Date.now() - createdAt.getTime())).toBeLessThan(60_000);
  expect(await verifyAudit(organizationId)).toMatchObject({ ok: true });
});
