import { z } from "zod";
import { operation } from "#lib/core/operation.ts";
import { pathId } from "#lib/core/wire.ts";
import { patchCounterparty, setNotes } from "#lib/counterparties/counterparties.ts";
import { CounterpartyAnswer, CounterpartyNotes, CounterpartyPatch } from "#lib/counterparties/schema.ts";
import { ifUnchanged, readCounterparty } from "./detail.ts";
import { CounterpartyDetailAnswer } from "./schema.ts";

/** Operations that return a counterparty with its contracts, or check that it is unchanged. */
export const counterpartyDetails = {
  read: operation({
    summary: "Retrieve a counterparty with its contacts and contracts",
    scopes: ["counterparties:read", "contracts:read"],
    input: z.object({ id: pathId("counterparty") }),
    output: CounterpartyDetailAnswer,
    errors: ["not_found"],
    cacheable: true,
    mayUseReplica: true,
    run: async (ctx, { id }) => ({ counterparty: await readCounterparty(ctx, id) }),
  }),
  patch: operation({
    summary: "Update a counterparty",
    description: "Omitted fields are left unchanged; null clears a field.",
    scopes: ["counterparties:write"],
    input: CounterpartyPatch,
    output: CounterpartyAnswer,
    errors: ["not_found", "precondition_failed"],
    run: async (ctx, input) => ({
      counterparty: await ifUnchanged(ctx, input.id, () => patchCounterparty(ctx, input)),
    }),
  }),
  setNotes: operation({
    summary: "Replace a counterparty's notes",
    scopes: ["counterparties:write"],
    input: CounterpartyNotes,
    errors: ["not_found", "precondition_failed"],
    run: (ctx, input) => ifUnchanged(ctx, input.id, () => setNotes(ctx, input)),
  }),
};
