import { z } from "zod";
import { contractStatuses } from "#lib/contracts/lifecycle.ts";
import { idOut, text } from "#lib/wire.ts";

export const Jump = z.strictObject({ q: text(200) });

export const JumpTargets = z.object({
  contracts: z.array(
    z.object({
      id: idOut("contract"),
      title: z.string(),
      status: z.enum(contractStatuses),
      counterpartyName: z.string().nullable(),
    }),
  ),
  counterparties: z.array(z.object({ id: idOut("counterparty"), name: z.string() })),
});
