/** A counterparty with its contacts and contracts, as its page shows them and its ETag covers them. */
import { contractsWith } from "#lib/contracts/rows.ts";
import { change } from "#lib/core/change.ts";
import type { Context } from "#lib/core/context.ts";
import { expectUnchanged } from "#lib/core/serialize.ts";
import { contactsOf, findCounterparty, lockCounterparty } from "#lib/counterparties/rows.ts";
import type { Counterparty } from "#lib/counterparties/schema.ts";
import { type CounterpartyDetail, CounterpartyDetailAnswer } from "./schema.ts";

export async function readCounterparty(ctx: Context, id: string): Promise<CounterpartyDetail> {
  return withBelongings(ctx, await findCounterparty(ctx, id));
}

async function withBelongings(ctx: Context, row: Counterparty): Promise<CounterpartyDetail> {
  return { ...row, contacts: await contactsOf(ctx, row.id), contracts: await contractsWith(ctx, row.id) };
}

/** Runs `work` in a change, unless the counterparty has changed since the version in If-Match. */
export async function ifUnchanged<T>(ctx: Context, id: string, work: () => Promise<T>): Promise<T> {
  return change(ctx, async () => {
    const row = await lockCounterparty(ctx, id);
    await expectUnchanged(ctx, CounterpartyDetailAnswer, async () => ({
      counterparty: await withBelongings(ctx, row),
    }));
    return work();
  });
}
