import { z } from "zod";
import { pathId } from "#lib/core/wire.ts";

export const ContractToDelete = z.strictObject({ id: pathId("contract") });
export type ContractToDelete = z.output<typeof ContractToDelete>;

/** What is deleted with a contract. */
export const Deletion = z.object({
  versions: z.int().meta({ description: "Document versions, with their files" }),
  obligations: z.int().meta({ description: "Without those that its documents propose" }),
  comments: z.int(),
  drafts: z.int().meta({ description: "Signature requests that were never sent" }),
});
export type Deletion = z.output<typeof Deletion>;
