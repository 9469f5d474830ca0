/** A counterparty together with what belongs to it. Isomorphic. */
import { z } from "zod";
import { Contract } from "#lib/contracts/schema.ts";
import { Contact, Counterparty } from "#lib/counterparties/schema.ts";

export const CounterpartyDetail = z
  .object({ ...Counterparty.shape, contacts: z.array(Contact), contracts: z.array(Contract) })
  .meta({ id: "CounterpartyDetail", description: "A counterparty with its contacts and contracts." });
export type CounterpartyDetail = z.output<typeof CounterpartyDetail>;

export const CounterpartyDetailAnswer = z.object({ counterparty: CounterpartyDetail });
