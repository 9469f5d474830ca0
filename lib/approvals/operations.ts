import { z } from "zod";
import { operation } from "#lib/core/operation.ts";
import { approve, delegateApproval, sendBack } from "./answers.ts";
import { listMine } from "./pending.ts";
import { approvalOf } from "./read.ts";
import { requestApproval, withdrawApproval } from "./requests.ts";
import { createRule, listRules, removeRule, updateRule } from "./rules.ts";
import {
  ApprovalId,
  ApprovalRuleAnswer,
  ApprovalRuleId,
  ApprovalRules,
  ApprovalRuleUpdate,
  Approving,
  ContractApproval,
  ContractId,
  Delegation,
  MyApprovals,
  MyApprovalsQuery,
  NewApprovalRule,
  RequestedApproval,
  SendingBack,
} from "./schema.ts";

/** Operations on approvals for members. API keys and assistants do not have them. */
export const approvals = {
  mine: operation({
    summary: "List what waits for your approval",
    scopes: ["contracts:read"],
    input: MyApprovalsQuery,
    output: MyApprovals,
    errors: [],
    run: listMine,
  }),
  ofContract: operation({
    summary: "Get a contract's approval",
    scopes: ["contracts:read"],
    input: ContractId,
    output: ContractApproval,
    errors: ["not_found"],
    run: approvalOf,
  }),
  request: operation({
    summary: "Request approval of a contract",
    scopes: ["contracts:write"],
    input: ContractId,
    output: RequestedApproval,
    status: 201,
    errors: ["not_found", "forbidden", "invalid_transition", "conflict"],
    run: requestApproval,
  }),
  approve: operation({
    summary: "Approve a contract",
    scopes: ["contracts:write"],
    input: Approving,
    errors: ["not_found", "forbidden", "conflict"],
    run: approve,
  }),
  sendBack: operation({
    summary: "Send a contract back with a reason",
    scopes: ["contracts:write"],
    input: SendingBack,
    errors: ["not_found", "forbidden", "conflict"],
    run: sendBack,
  }),
  delegate: operation({
    summary: "Delegate an approval to someone else",
    scopes: ["contracts:write"],
    input: Delegation,
    errors: ["not_found", "forbidden", "conflict"],
    run: delegateApproval,
  }),
  withdraw: operation({
    summary: "Withdraw a request for approval",
    scopes: ["contracts:write"],
    input: ApprovalId,
    errors: ["not_found", "forbidden", "conflict"],
    run: withdrawApproval,
  }),
};

/** Operations on the rules that decide which contracts need whose approval. */
export const approvalRules = {
  list: operation({
    summary: "List the approval rules",
    scopes: ["contracts:read"],
    input: z.strictObject({}),
    output: ApprovalRules,
    errors: [],
    run: (ctx) => listRules(ctx),
  }),
  create: operation({
    summary: "Create an approval rule",
    scopes: ["workspace:write"],
    input: NewApprovalRule,
    output: ApprovalRuleAnswer,
    status: 201,
    errors: ["conflict"],
    run: createRule,
  }),
  update: operation({
    summary: "Change an approval rule",
    scopes: ["workspace:write"],
    input: ApprovalRuleUpdate,
    output: ApprovalRuleAnswer,
    errors: ["not_found", "conflict"],
    run: updateRule,
  }),
  remove: operation({
    summary: "Delete an approval rule",
    scopes: ["workspace:write"],
    input: ApprovalRuleId,
    errors: ["not_found"],
    run: (ctx, { id }) => removeRule(ctx, id),
  }),
};
