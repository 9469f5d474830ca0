import { z } from "zod";
import { idIn, pathId } from "#lib/core/wire.ts";

export const Holder = z.strictObject({ memberId: pathId("member") });
export type Holder = z.output<typeof Holder>;

export const Holdings = z.object({
  contracts: z.int().meta({ description: "Contracts that the member owns" }),
  obligations: z.int().meta({ description: "Open obligations that are assigned to the member by name" }),
  approvals: z.int().meta({
    description: "Approvals that the member is asked for or has requested, and rules that name them",
  }),
});
export type Holdings = z.output<typeof Holdings>;

export const Departure = Holder.extend({
  successorId: idIn("user").nullable().default(null).meta({
    description:
      "The userId of the active member who takes over contracts, obligations and approvals; null leaves contracts as they are, obligations to their contracts' owners, and approvals to the owners of the workspace",
  }),
});
export type Departure = z.output<typeof Departure>;
