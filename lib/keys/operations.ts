import { z } from "zod";
import { operation } from "#lib/api/operation.ts";
import { Introspection } from "./schema.ts";

export const me = {
  read: operation({
    summary: "Tell which workspace and scopes the key has",
    scopes: [],
    input: z.object({}),
    output: Introspection,
    errors: [],
    worksUnpaid: true,
    run: async ({ organizationId, actor, scopes }) => ({
      organizationId,
      apiKey: { id: actor.id, name: actor.kind === "system" ? "" : actor.name, scopes },
    }),
  }),
};
