/** What lists find by turn and deadline matches what the lifecycle decides. */
import fc from "fast-check";
import { query } from "#lib/core/db.ts";
import * as lifecycle from "#lib/signatures/lifecycle.ts";
import * as turns from "#lib/signatures/turns.ts";
import { expect, test } from "../fixtures.ts";

const now = new Date("2026-02-03T10:00:00Z");
const around = fc.constantFrom(null, ...[-1, 0, 1].map((ms) => new Date(now.getTime() + ms)));
/** A signer acts at most once: signs, declines or delegates. */
const signer = fc
  .record({ orderIndex: fc.nat(3), acted: fc.constantFrom(null, "signedAt", "declinedAt", "delegatedAt") })
  .map(({ orderIndex, acted }) => {
    const moments = { signedAt: null, declinedAt: null, delegatedAt: null };
    return { orderIndex, ...moments, ...(acted ? { [acted]: now } : {}) };
  });
const rounds = fc.array(
  fc.record({
    status: fc.constantFrom(...lifecycle.envelopeStatuses),
    deadline: around,
    signers: fc.array(signer, { maxLength: 5 }),
  }),
  { minLength: 1, maxLength: 60 },
);

const moment = (date: Date | null) => date?.toISOString() ?? null;

test("SQL and the lifecycle agree on which requests are open or late, and on which signers wait and may act", async () => {
  await fc.assert(
    fc.asyncProperty(rounds, async (generated) => {
      const worlds = generated.map((round, index) => ({
        ...round,
        signers: round.signers.map((one, at) => ({ ...one, id: `${index} ${at}` })),
      }));
      const envelopes = worlds.map(({ status, deadline }, id) => {
        return { organization_id: "org", id: String(id), status, deadline: moment(deadline) };
      });
      const signers = worlds.flatMap((world, index) =>
        world.signers.map(({ id, orderIndex, signedAt, declinedAt, delegatedAt }) => ({
          ...{ organization_id: "org", id, envelope_id: String(index), order_index: orderIndex },
          ...{
            signed_at: moment(signedAt),
            declined_at: moment(declinedAt),
            delegated_at: moment(delegatedAt),
          },
        })),
      );
      // Rows with the tables' own types replace the tables.
      const tableOf = (name: string, parameter: string) =>
        `${name} AS (SELECT * FROM json_populate_recordset(NULL::public.${name}, ${parameter}::json))`;
      const given = [JSON.stringify(envelopes), now.toISOString()];
      const found = await query<{ id: string }>(
        `WITH ${tableOf("envelopes", "$1")}, ${tableOf("signers", "$3")}
         SELECT s.id, ${turns.waitingSql} AS waiting, ${turns.onTurnSql} AS "onTurn",
           ${turns.mayActSql("$2")} AS "mayAct"
         FROM signers s JOIN envelopes e ON e.id = s.envelope_id ORDER BY s.id COLLATE "C"`,
        [...given, JSON.stringify(signers)],
      );
      const decided = worlds.flatMap((world) =>
        world.signers.map((one) => ({
          id: one.id,
          waiting: !one.signedAt && !one.declinedAt && !one.delegatedAt,
          onTurn: lifecycle.signersOnTurn(world).includes(one),
          mayAct: lifecycle.whyCannotAct(world, one.id, now) === null,
        })),
      );
      expect(found).toEqual(decided.sort((a, b) => (a.id < b.id ? -1 : 1)));
      const requests = await query<{ id: string }>(
        `WITH ${tableOf("envelopes", "$1")} SELECT e.id, ${turns.outForSignatureSql} AS out, ${turns.pastDeadlineSql("$2")} AS late
         FROM envelopes e ORDER BY e.id::int`,
        given,
      );
      expect(requests).toEqual(
        worlds.map((world, id) => ({
          id: String(id),
          out: lifecycle.isOutForSignature(world.status),
          late: lifecycle.isPastDeadline(world, now),
        })),
      );
    }),
    { numRuns: 40 },
  );
});
