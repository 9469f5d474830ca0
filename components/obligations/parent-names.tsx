import { Names } from "#components/ui/bits.tsx";
import type { ObligationInContract } from "#lib/obligations/schema.ts";

type Owned = Pick<ObligationInContract, "contract" | "counterparty">;

const namesOf = ({ contract, counterparty }: Owned): string[] =>
  counterparty ? [contract.title, counterparty.name] : [contract.title];

/** Returns what an obligation belongs to: `Lease of the warehouse · Northwind Traders`. */
export const parentNames = (obligation: Owned): string => namesOf(obligation).join(" · ");

/** Renders what an obligation belongs to. */
export const ParentNames = ({ obligation }: { obligation: Owned }) => <Names names={namesOf(obligation)} />;
