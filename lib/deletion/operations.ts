import { operation } from "#lib/core/operation.ts";
import { deleteDraft, previewDeletion } from "./deletion.ts";
import { ContractToDelete, Deletion } from "./schema.ts";

export const deletions = {
  previewDeletion: operation({
    summary: "Get what goes with a draft when it is deleted",
    scopes: ["contracts:read"],
    input: ContractToDelete,
    output: Deletion,
    errors: ["not_found", "forbidden", "conflict"],
    run: previewDeletion,
  }),
  remove: operation({
    summary: "Delete a draft that was never sent",
    description:
      "With its documents, obligations, comments and drafts of signature requests. What was done stays in the audit log.",
    scopes: ["contracts:write"],
    input: ContractToDelete,
    errors: ["not_found", "forbidden", "conflict"],
    run: deleteDraft,
  }),
};
