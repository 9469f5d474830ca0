import { z } from "zod";
import { operation } from "#lib/core/operation.ts";
import { SummaryAnswer } from "./schema.ts";
import { summarize } from "./summary.ts";

export const analytics = {
  summary: operation({
    summary: "Get workspace analytics",
    scopes: ["analytics:read"],
    input: z.object({}),
    output: SummaryAnswer,
    errors: [],
    cacheable: true,
    mayUseReplica: true,
    run: async (ctx) => ({ analytics: await summarize(ctx) }),
  }),
};
