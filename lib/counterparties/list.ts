/**
 * All counterparties of a workspace, mostly from a cache: few of a long list have changed since it was last serialized.
 */
import { select } from "#lib/core/change.ts";
import type { Context } from "#lib/core/context.ts";
import { SerializedRowCache, StoredJson, serialize } from "#lib/core/serialize.ts";
import { containsPattern, sortedByName } from "#lib/core/wire.ts";
import { columns } from "./rows.ts";
import { Counterparty, type CounterpartyQuery } from "./schema.ts";

/** Everything that a counterparty's serialized form depends on. */
interface Stamp {
  id: string;
  name: string;
  version: string;
  contractCount: number;
}

/** The transaction that wrote the row. A promoted standby may reach the same number, but at another time. */
const version = `cp.xmin::text || ' ' || cp.updated_at AS version`;
const count = `COALESCE(n.count, 0) AS "contractCount"`;

const counted = `counterparties cp
  LEFT JOIN (SELECT counterparty_id, sum(count)::int AS count FROM counterparty_contract_counts_now
    WHERE organization_id = $1 GROUP BY 1) n ON n.counterparty_id = cp.id
  WHERE cp.organization_id = $1`;

/** All counterparties, or those whose name contains `q`, serialized. */
export async function listCounterparties(ctx: Context, { q }: CounterpartyQuery) {
  const stamps = await select<Stamp>(
    `SELECT cp.id, cp.name, ${version}, ${count} FROM ${counted} ${q ? "AND cp.name ILIKE $2" : ""}`,
    q ? [ctx.organizationId, containsPattern(q)] : [ctx.organizationId],
  );
  return { data: await printed(ctx, sortedByName(stamps)) };
}

const printedRows = new SerializedRowCache<string>();

const keyOf = ({ id, version, contractCount }: Stamp) => `${id} ${version} ${contractCount}`;

function printed(ctx: Context, stamps: Stamp[]): Promise<StoredJson[]> {
  return printedRows.of(new Map(stamps.map((stamp) => [stamp.id, keyOf(stamp)])), async (missing) => {
    const rows = await select<Counterparty & Stamp>(
      `SELECT ${columns}, ${version}, ${count} FROM ${counted} AND cp.id = ANY($2::text[])`,
      [ctx.organizationId, missing],
    );
    return rows.map((row) => ({
      id: row.id,
      key: keyOf(row),
      text: new StoredJson(serialize(Counterparty, row)),
    }));
  });
}
