import { z } from "zod";
import { idIn, pathId } from "#lib/core/wire.ts";

export const Holder = z.strictObject({ memberId: pathId("member") });
export type Holder = z.output<typeof Holder>;

export const Holdings = z.object({
  contracts: z.int().meta({ description: "Contracts that the member owns" }),
  obligations: z.int().meta({ description: "Open obligations that are assigned to the member by name" }),
});
export type Holdings = z.output<typeof Holdings>;

export const Departure = Holder.extend({
  successorId: idIn("user").nullable().default(null).meta({
    description:
      "The userId of the active member who takes over contracts and obligations; null leaves contracts as they are, and obligations to their contracts' owners",
  }),
});
export type Departure = z.output<typeof Departure>;
