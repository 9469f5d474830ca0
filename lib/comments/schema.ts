/** The schemas of comments. */
import { z } from "zod";
import { choice, idIn, idOut, pathId, requiredLines, timestamp, wholeNumber } from "#lib/core/wire.ts";

/** How many comments a contract can have, so that no one floods it. */
export const maxComments = 5_000;
/** How many replies a thread can have: they are read together. */
export const maxReplies = 200;
const maxCommentLength = 5_000;
const longestQuote = 1_000;

const person = z.object({ id: idOut("user"), name: z.string() });

const said = {
  id: idOut("comment"),
  author: person,
  text: z.string().nullable().meta({ description: "Null: it was deleted, and its replies were not" }),
  mentions: z.array(person),
  createdAt: timestamp,
  editedAt: timestamp.nullable(),
};

export const Comment = z.object(said).meta({ id: "Comment", description: "A member's comment or reply." });
export type Comment = z.output<typeof Comment>;

export const CommentThread = z
  .object({
    ...said,
    version: z
      .object({ id: idOut("version"), versionNumber: z.int() })
      .nullable()
      .meta({ description: "The version whose passage it is about; null: the contract as a whole" }),
    page: z.int().nullable(),
    quote: z.string().nullable().meta({ description: "The passage, as it was selected" }),
    resolvedAt: timestamp.nullable(),
    resolvedBy: person.nullable(),
    replies: z.array(Comment),
  })
  .meta({ id: "CommentThread", description: "A comment and its replies, oldest first." });
export type CommentThread = z.output<typeof CommentThread>;

export const commentStates = ["open", "resolved", "all"] as const;

export const CommentQuery = z.strictObject({
  id: pathId("contract"),
  state: choice(commentStates).default("all"),
  limit: wholeNumber("must be a whole number of at least 1", 50).default(20),
  cursor: idIn("comment").optional().meta({ description: "nextCursor of the previous page" }),
});
export type CommentQuery = z.output<typeof CommentQuery>;

export const CommentThreads = z.object({
  data: z.array(CommentThread),
  nextCursor: z.string().nullable().meta({ description: "Null on the last page" }),
  openCount: z.int(),
  resolvedCount: z.int(),
});

const words = {
  text: requiredLines(maxCommentLength),
  mentions: z
    .array(idIn("user"))
    .max(20, "must name at most 20 people")
    .default([])
    .meta({ description: "The members to notify, by user id" }),
};

const passage = z.strictObject({
  versionId: idIn("version"),
  page: z
    .int("must be a page's number")
    .min(1, "must be at least 1")
    .max(100_000, "is not a page of this version"),
  quote: requiredLines(longestQuote),
});

export const NewComment = z.strictObject({
  id: pathId("contract"),
  ...words,
  passage: passage.nullable().default(null).meta({ description: "Null: it is about the contract" }),
});
export type NewComment = z.output<typeof NewComment>;

export const NewReply = z.strictObject({ id: pathId("comment"), ...words });
export type NewReply = z.output<typeof NewReply>;

export const CommentId = z.strictObject({ id: pathId("comment") });
export const CommentAnswer = z.object({ comment: z.object({ id: idOut("comment") }) });

/** The input of an export of comments. */
export const CommentExport = z.object({ contractId: pathId("contract") });
export type CommentExport = z.output<typeof CommentExport>;
