/** A delivery belongs to the worker that claimed it: a worker that lost its claim writes nothing. */
import { database } from "#lib/core/db.ts";
import { newId } from "#lib/core/ids.ts";
import { unclaim } from "#lib/webhooks/claims.ts";
import { type Claim, endpointOf, giveUp, outcomeOf, writeOutcomes } from "#lib/webhooks/outcome.ts";
import { expect, test, type Workspace } from "../fixtures.ts";

const yearMs = 365 * 24 * 60 * 60 * 1000;

/** Creates a delivery that is not due for a year, so that no worker of this run takes it. */
async function deliveryOf({ api, organizationId }: Workspace): Promise<Claim> {
  const body = { url: "http://127.0.0.1:9/", events: ["member.invited"] };
  const { id: endpointId } = (await api("POST /webhook-endpoints", { body })).body.endpoint;
  const { prisma } = database();
  const [eventId, id] = [newId("event"), newId("delivery")];
  await prisma.event.create({ data: { organizationId, id: eventId, type: "member.invited", payload: "{}" } });
  const nextAttemptAt = new Date(Date.now() + yearMs);
  await prisma.delivery.create({ data: { organizationId, id, endpointId, eventId, nextAttemptAt } });
  const told = { payload: "{}", url: body.url, secret: new Uint8Array(), previousSecret: null };
  const endpoint = { endpointStatus: "ENABLED", disabledReason: null };
  return { organizationId, id, endpointId, attemptCount: 0, ...told, ...endpoint };
}

async function rowsOf({ organizationId, id, endpointId }: Claim) {
  const { prisma } = database();
  const [delivery, attempts, endpoint] = await Promise.all([
    prisma.delivery.findFirstOrThrow({ where: { organizationId, id } }),
    prisma.deliveryAttempt.findMany({ where: { organizationId, deliveryId: id } }),
    prisma.webhookEndpoint.findFirstOrThrow({ where: { organizationId, id: endpointId } }),
  ]);
  return { delivery, attempts, endpoint };
}

const result = (error: string | null) => ({
  ...{ at: new Date(), statusCode: error ? 500 : 204, durationMs: 1, error, responseBody: "" },
  retryAfterSeconds: 0,
});

test("a worker that has lost its claim on a delivery cannot write its outcome", async ({ workspace }) => {
  const claim = await deliveryOf(workspace);
  const before = await rowsOf(claim);
  for (const error of ["status 500", null]) {
    const failing = await writeOutcomes("a worker that lost it", claim.organizationId, [
      outcomeOf(claim, result(error)),
    ]);
    expect([...failing]).toEqual([]);
    expect(await rowsOf(claim)).toEqual(before);
  }
  await giveUp("a worker that lost it", { ...claim, disabledReason: "gone" });
  await unclaim("a worker that lost it", endpointOf(claim), [claim]);
  expect(await rowsOf(claim)).toEqual(before);
});
