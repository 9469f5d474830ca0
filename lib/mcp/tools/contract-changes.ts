/** The tools that change a contract's fields and its status. */
import { z } from "zod";
import { contractLifecycle } from "#lib/contracts/lifecycle.ts";
import { contracts } from "#lib/contracts/operations.ts";
import { type Contract, ContractMove, ContractPatch } from "#lib/contracts/schema.ts";
import { canMove, movesFrom } from "#lib/core/lifecycle.ts";
import { idIn } from "#lib/core/wire.ts";
import { columnOfKey, keyIn } from "#lib/custom-fields/catalogue.ts";
import { closesObligations } from "#lib/obligations/lifecycle.ts";
import { Budget, takeFitting } from "../answers/budget.ts";
import {
  Change,
  changeInWords,
  changesBetween,
  changesInWords,
  Undo,
  undoBy,
  undoInWords,
} from "./changes.ts";
import { ContractDetail, contractFrom, contractLine } from "./contract-answers.ts";
import { tool } from "./tool.ts";

const contractId = idIn("contract");

/** Only people archive contracts. */
const { id: _id, archived: _archived, ...patched } = ContractPatch.shape;

export const updateContract = tool({
  name: "update_contract",
  title: "Update a contract",
  description:
    "Changes a contract's fields, dates, term, value, owner or counterparty. What is left out stays; null clears. New dates move its obligations.",
  uses: [contracts.read, contracts.patch],
  input: z.strictObject({ contractId, ...patched }),
  output: z.object({
    contract: ContractDetail,
    changes: z.array(Change),
    undo: Undo.nullable(),
    truncated: z.boolean(),
  }),
  async run(caller, { contractId: id, ...fields }) {
    const { contract: before } = await caller.ask(contracts.read, { id });
    const { contract: after } = await caller.ask(contracts.patch, { id, ...fields });
    const changes = changesBetween(flat(before), flat(after), namesOf(fields));
    const previous = nested(flat(before), changes);
    const how = "Set the values from before.";
    const undo = changes.length > 0 ? undoBy("update_contract", how, { contractId: id, ...previous }) : null;
    const contract = contractFrom(after);
    const budget = new Budget();
    budget.spend(ContractDetail.parse(contract), contractLine(contract), undo, undoInWords(undo));
    const told = takeFitting(budget, changes, changeInWords, (change) => change);
    const others = changes.length - told.count;
    return {
      data: { contract, changes: told.items, undo, truncated: others > 0 },
      text: `${changesInWords(told.items, others)}\n${contractLine(contract)}\n${undoInWords(undo)}`,
    };
  },
});

/**
 * Returns the names of fields that the input can change. A new value may also change the currency if the input has
 * none.
 */
function namesOf({ customFields = {}, ...fields }: Partial<z.input<typeof ContractPatch>>): string[] {
  const names = [...Object.keys(fields), ...Object.keys(customFields).map(columnOfKey)];
  return fields.valueCents === undefined ? names : [...new Set([...names, "valueCurrency"])];
}

/** Puts custom fields beside the others, as `customFields.<key>`. */
function flat({ customFields, ...contract }: Contract) {
  const fields = Object.entries(customFields).map(([key, value]) => [columnOfKey(key), value]);
  return { ...contract, ...Object.fromEntries(fields) };
}

/** Returns the complete previous values of the changed fields, in the form that this tool takes. */
function nested(before: Record<string, unknown>, changes: Change[]) {
  const values = changes.map(({ field }) => ({ field, key: keyIn(field), from: before[field] ?? null }));
  const customFields = Object.fromEntries(
    values.flatMap(({ key, from }) => (key === undefined ? [] : [[key, from]])),
  );
  return {
    ...Object.fromEntries(
      values.flatMap(({ field, key, from }) => (key === undefined ? [[field, from]] : [])),
    ),
    ...(Object.keys(customFields).length > 0 ? { customFields } : {}),
  };
}

export const setContractStatus = tool({
  name: "set_contract_status",
  title: "Change a contract's status",
  description:
    "Moves a contract to another status; get_contract says which are allowed. Sending for signature is done by people, in the web app.",
  uses: [contracts.read, contracts.setStatus],
  input: z.strictObject({ contractId, next: ContractMove.shape.next, reason: ContractMove.shape.reason }),
  output: z.object({ contract: ContractDetail, changes: z.array(Change), undo: Undo }),
  async run(caller, { contractId: id, ...move }) {
    const { contract: before } = await caller.ask(contracts.read, { id });
    const { contract: after } = await caller.ask(contracts.setStatus, { id, ...move });
    const changes = changesBetween(before, after, ["status", "executedAt"]);
    const undo = undoOfMove(id, before.status, after.status);
    const contract = contractFrom(after);
    return {
      data: { contract, changes, undo },
      text: `${changesInWords(changes)}\n${contractLine(contract)}\n${undoInWords(undo)}`,
    };
  },
});

/** Terminating or cancelling a contract cancels its open obligations for good. */
const cancelled =
  "Its open obligations were cancelled and stay cancelled: create again those that are still needed.";

function undoOfMove(contractId: string, from: Contract["status"], to: Contract["status"]): Undo {
  const rest = closesObligations(to) ? ` ${cancelled}` : "";
  const allowed = movesFrom(contractLifecycle, to);
  if (canMove(contractLifecycle, to, from)) {
    return {
      how: `Move it back.${rest}`,
      tool: "set_contract_status",
      arguments: { contractId, next: from },
    };
  }
  const next = allowed.length > 0 ? `Allowed from here: ${allowed.join(", ")}.` : "It is final.";
  return { how: `It cannot go back to ${from}. ${next}${rest}`, tool: null, arguments: null };
}
