/** Tags: a workspace's own words for finding contracts. Isomorphic. */
import { z } from "zod";
import { requiredText, text } from "#lib/core/wire.ts";
import { maxTags } from "./catalogue.ts";

/** One tag, as written; tags that differ only by case are the same. */
export const tag = requiredText(40).meta({ example: "Renewal 2027" });

/** Equal for tags that are the same: lower-cased letter by letter, as the database does, regardless of context. */
export const tagKey = (tag: string) => Array.from(tag, (letter) => [...letter.toLowerCase()][0]).join("");

export const tags = z
  .array(tag, { error: "must be a list of tags" })
  .max(maxTags, `must be at most ${maxTags} tags`)
  .superRefine((all, refused) => {
    const keys = all.map(tagKey);
    keys.forEach((key, at) => {
      if (keys.indexOf(key) < at) {
        refused.addIssue({ code: "custom", path: [at], message: "is in the list already" });
      }
    });
  })
  .meta({ description: `At most ${maxTags} of 40 characters, each once, ignoring case` });

export const TagQuery = z.strictObject({
  q: text(40).optional().meta({ description: "What they begin with, ignoring case" }),
});
export type TagQuery = z.output<typeof TagQuery>;

export const TagList = z.object({
  data: z.array(
    z.object({ tag: z.string(), count: z.int().meta({ description: "Of contracts that are not archived" }) }),
  ),
});
