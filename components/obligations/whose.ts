import type { ObligationInContract } from "#lib/obligations/schema.ts";

/** What an obligation belongs to: `Lease of the warehouse · Northwind Traders`. */
export function whose({
  contract,
  counterparty,
}: Pick<ObligationInContract, "contract" | "counterparty">): string {
  return counterparty ? `${contract.title} · ${counterparty.name}` : contract.title;
}
