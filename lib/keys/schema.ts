import { z } from "zod";
import { scopes } from "#lib/scopes.ts";
import { idOut } from "#lib/wire.ts";

export const Introspection = z
  .object({
    organizationId: idOut("organization"),
    apiKey: z.object({ id: idOut("apiKey"), name: z.string(), scopes: z.array(z.enum(scopes)) }),
  })
  .meta({ id: "Introspection", description: "The workspace and the scopes of the key that asks." });
