import { z } from "zod";
import { operation } from "#lib/api/operation.ts";
import { pathId } from "#lib/wire.ts";
import { TemplateAnswer, TemplateList } from "./schema.ts";
import { findTemplate, listTemplates } from "./templates.ts";

export const templates = {
  list: operation({
    summary: "List templates",
    description: "All that can be used, by name.",
    scopes: ["templates:read"],
    input: z.object({}),
    output: TemplateList,
    errors: [],
    cacheable: true,
    run: listTemplates,
  }),
  read: operation({
    summary: "Read a template with its variables and sections",
    scopes: ["templates:read"],
    input: z.object({ id: pathId("template") }),
    output: TemplateAnswer,
    errors: ["not_found"],
    cacheable: true,
    run: async (ctx, { id }) => ({ template: await findTemplate(ctx, id) }),
  }),
};
