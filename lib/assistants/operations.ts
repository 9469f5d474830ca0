import { z } from "zod";
import { operation, personalOperation } from "#lib/core/operation.ts";
import { listAssistants, revokeAssistant } from "./connected.ts";
import { setPolicy } from "./policy.ts";
import { approveRequest, openRequest, refuseRequest } from "./requests.ts";
import {
  AssistantApproval,
  AssistantDecided,
  AssistantPolicyAnswer,
  AssistantPolicyPatch,
  AssistantRequestAnswer,
  AssistantRequestId,
  ConnectedAssistantId,
  ConnectedAssistantList,
} from "./schema.ts";

/** The assistants that are connected to a workspace. */
export const assistants = {
  list: operation({
    summary: "List connected assistants",
    description: "Your own; owners and admins see everyone's. Newest first.",
    scopes: [],
    input: z.strictObject({}),
    output: ConnectedAssistantList,
    errors: [],
    run: listAssistants,
  }),
  revoke: operation({
    summary: "Disconnect an assistant",
    description: "Its next call is refused.",
    scopes: [],
    input: ConnectedAssistantId,
    errors: ["not_found"],
    run: async (ctx, { id }) => revokeAssistant(ctx, id),
  }),
  setPolicy: operation({
    summary: "Update what assistants may do in the workspace",
    scopes: ["workspace:write"],
    input: AssistantPolicyPatch,
    output: AssistantPolicyAnswer,
    errors: [],
    run: setPolicy,
  }),
};

/** A program's request to be connected. Its workspace is chosen only when a person approves it. */
export const assistantRequests = {
  open: personalOperation({
    summary: "Open an assistant's request for access",
    input: AssistantRequestId,
    output: AssistantRequestAnswer,
    errors: ["not_found", "conflict"],
    run: openRequest,
  }),
  approve: personalOperation({
    summary: "Connect an assistant",
    input: AssistantApproval,
    output: AssistantDecided,
    errors: ["not_found", "conflict", "forbidden", "subscription_inactive"],
    run: approveRequest,
  }),
  refuse: personalOperation({
    summary: "Refuse an assistant's request for access",
    input: AssistantRequestId,
    output: AssistantDecided,
    errors: ["not_found", "conflict"],
    run: refuseRequest,
  }),
};
