import { z } from "zod";
import { operation } from "#lib/api/operation.ts";
import { idIn, pathId } from "#lib/wire.ts";
import { moveContracts } from "./bulk.ts";
import { createContract, moveContract, patchContract, setAnchors, setCounterparty } from "./contracts.ts";
import { previewAnchors } from "./preview.ts";
import { findContract, listContracts } from "./rows.ts";
import {
  AnchorsPreview,
  ContractAnchors,
  ContractAnswer,
  ContractMove,
  ContractPage,
  ContractPatch,
  ContractQuery,
  ManyMoved,
  ManyMoves,
  NewContract,
  NewContractAnswer,
} from "./schema.ts";

export const contracts = {
  list: operation({
    summary: "List contracts",
    description: "50 a page, with the exact number of all that match. Empty values sort last.",
    scopes: ["contracts:read"],
    input: ContractQuery,
    output: ContractPage,
    errors: [],
    cacheable: true,
    run: listContracts,
  }),
  read: operation({
    summary: "Read a contract",
    scopes: ["contracts:read"],
    input: z.object({ id: pathId("contract") }),
    output: ContractAnswer,
    errors: ["not_found"],
    cacheable: true,
    run: async (ctx, { id }) => ({ contract: await findContract(ctx, id) }),
  }),
  create: operation({
    summary: "Make a contract",
    description: "It starts as DRAFT.",
    scopes: ["contracts:write"],
    input: NewContract,
    output: NewContractAnswer,
    status: 201,
    errors: [],
    location: (made: { contract: { id: string } }) => `/contracts/${made.contract.id}`,
    run: async (ctx, input) => ({ contract: await createContract(ctx, input), version: null }),
  }),
  patch: operation({
    summary: "Change a contract",
    description:
      "Omit a field to leave it as it is; null clears one. New dates resolve its obligations again.",
    scopes: ["contracts:write"],
    input: ContractPatch,
    output: ContractAnswer,
    errors: ["not_found", "precondition_failed", "conflict"],
    run: async (ctx, input) => ({ contract: await patchContract(ctx, input) }),
  }),
  setStatus: operation({
    summary: "Move a contract to another status",
    description:
      "The only way to change a status. What is not allowed from the present one is refused, and the message lists what is.",
    scopes: ["contracts:write"],
    input: ContractMove,
    output: ContractAnswer,
    errors: ["not_found", "invalid_transition", "conflict"],
    run: async (ctx, input) => ({ contract: await moveContract(ctx, input) }),
  }),
  setCounterparty: operation({
    summary: "Set a contract's counterparty",
    scopes: ["contracts:write", "counterparties:write"],
    input: z.strictObject({ id: pathId("contract"), counterpartyId: idIn("counterparty") }),
    output: ContractAnswer,
    errors: ["not_found", "precondition_failed", "conflict"],
    run: async (ctx, input) => ({ contract: await setCounterparty(ctx, input) }),
  }),
  setAnchors: operation({
    summary: "Set the dates and the term that obligations are counted from",
    description:
      "A field that is left out stays; null clears. All open obligations are resolved again at once.",
    scopes: ["contracts:write"],
    input: ContractAnchors,
    errors: ["not_found", "precondition_failed", "conflict"],
    run: setAnchors,
  }),
  previewAnchors: operation({
    summary: "Tell what other dates would change",
    scopes: ["contracts:read", "obligations:read"],
    input: ContractAnchors,
    output: AnchorsPreview,
    errors: ["not_found"],
    run: previewAnchors,
  }),
  setStatusOfMany: operation({
    summary: "Move many contracts to another status",
    description: "Each on its own: the answer tells of each whether it was moved, or why not.",
    scopes: ["contracts:write"],
    input: ManyMoves,
    output: ManyMoved,
    errors: [],
    run: moveContracts,
  }),
};
