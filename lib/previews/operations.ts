import { operation } from "#lib/core/operation.ts";
import { previewOf } from "./previews.ts";
import { Preview, PreviewQuestion } from "./schema.ts";

export const previews = {
  read: operation({
    summary: "Tell whether a version's first page can be shown as an image",
    description: "The first time that one is wanted, it is drawn.",
    scopes: ["contracts:read"],
    input: PreviewQuestion,
    output: Preview,
    errors: ["not_found"],
    run: async (ctx, input) => ({ preview: await previewOf(ctx, input) }),
  }),
};
