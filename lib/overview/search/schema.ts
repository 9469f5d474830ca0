import { z } from "zod";
import { contractStatuses } from "#lib/contracts/lifecycle.ts";
import { idOut, text } from "#lib/core/wire.ts";
import { envelopeStatuses } from "#lib/signatures/lifecycle.ts";

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
  contacts: z.array(
    z.object({
      id: idOut("contact"),
      name: z.string(),
      email: z.string(),
      counterpartyId: idOut("counterparty"),
      counterpartyName: z.string(),
    }),
  ),
  templates: z.array(z.object({ id: idOut("template"), name: z.string() })),
  signatureRequests: z.array(
    z.object({ id: idOut("envelope"), contractTitle: z.string(), status: z.enum(envelopeStatuses) }),
  ),
});
