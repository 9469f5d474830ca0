/** Contracts as rows of a table, however many, a few hundred at a time. */
import type { Context } from "#lib/core/context.ts";
import { type ContractRow, contractIds, contractsById } from "./rows.ts";
import type { ContractQuery } from "./schema.ts";

type Cell = string | number | boolean | null;

const columns: Record<string, (contract: ContractRow) => Cell> = {
  id: ({ id }) => id,
  title: ({ title }) => title,
  type: ({ type }) => type,
  ourRole: ({ ourRole }) => ourRole,
  status: ({ status }) => status,
  counterparty: ({ counterparty }) => counterparty?.name ?? null,
  owner: ({ owner }) => owner.name,
  ownerEmail: ({ owner }) => owner.email,
  effectiveDate: ({ effectiveDate }) => day(effectiveDate),
  expiresAt: ({ expiresAt }) => day(expiresAt),
  executedAt: ({ executedAt }) => executedAt,
  termMonths: ({ termMonths }) => termMonths,
  autoRenews: ({ autoRenews }) => (autoRenews ? "yes" : "no"),
  renewalMonths: ({ renewalMonths }) => renewalMonths,
  valueCents: ({ valueCents }) => valueCents,
  valueCurrency: ({ valueCurrency }) => valueCurrency,
  lastActivityAt: ({ lastActivityAt }) => lastActivityAt,
  createdAt: ({ createdAt }) => createdAt,
  updatedAt: ({ updatedAt }) => updatedAt,
};

const day = (timestamp: string | null) => timestamp?.slice(0, 10) ?? null;

const batch = 500;

/** All that a list's filter finds, in its order, as of now: which they are is settled before the first row. */
export async function exportContracts(ctx: Context, query: ContractQuery) {
  const ids = await contractIds(ctx, query);
  return {
    target: "contracts",
    columns: Object.keys(columns),
    rowCount: ids.length,
    batches: rowsOf(ctx, ids),
  };
}

async function* rowsOf(ctx: Context, ids: string[]): AsyncGenerator<Cell[][]> {
  for (let at = 0; at < ids.length; at += batch) {
    const contracts = await contractsById(ctx, ids.slice(at, at + batch));
    yield contracts.map((contract) => Object.values(columns).map((cell) => cell(contract)));
  }
}
