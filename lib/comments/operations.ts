import { operation } from "#lib/core/operation.ts";
import { addComment, addReply, deleteComment, editComment, setResolved } from "./comments.ts";
import { CommentAnswer, CommentId, CommentQuery, CommentThreads, NewComment, NewReply } from "./schema.ts";
import { listThreads } from "./threads.ts";

/** Operations on the comments of a contract. */
export const comments = {
  list: operation({
    summary: "List a contract's comments",
    description: "By thread, newest first.",
    scopes: ["contracts:read"],
    input: CommentQuery,
    output: CommentThreads,
    errors: ["not_found"],
    run: listThreads,
  }),
  add: operation({
    summary: "Comment on a contract or on a passage of a version",
    scopes: ["contracts:write"],
    input: NewComment,
    output: CommentAnswer,
    status: 201,
    errors: ["not_found", "conflict"],
    run: addComment,
  }),
  reply: operation({
    summary: "Reply to a comment",
    scopes: ["contracts:write"],
    input: NewReply,
    output: CommentAnswer,
    status: 201,
    errors: ["not_found", "conflict"],
    run: addReply,
  }),
  edit: operation({
    summary: "Edit a comment",
    description: "Only your own.",
    scopes: ["contracts:write"],
    input: NewReply,
    errors: ["not_found", "forbidden"],
    run: editComment,
  }),
  resolve: operation({
    summary: "Resolve a thread",
    scopes: ["contracts:write"],
    input: CommentId,
    errors: ["not_found"],
    run: (ctx, { id }) => setResolved(ctx, id, true),
  }),
  reopen: operation({
    summary: "Reopen a thread",
    scopes: ["contracts:write"],
    input: CommentId,
    errors: ["not_found"],
    run: (ctx, { id }) => setResolved(ctx, id, false),
  }),
  remove: operation({
    summary: "Delete a comment",
    description: "Your own; owners and admins any. A first comment with replies stays, without its text.",
    scopes: ["contracts:write"],
    input: CommentId,
    errors: ["not_found", "forbidden"],
    run: (ctx, { id }) => deleteComment(ctx, id),
  }),
};
