import { z } from "zod";
import { operation } from "#lib/core/operation.ts";
import { addUploads, clearUploads, countUploads, listUploads, skipUploads } from "./list.ts";
import {
  DuplicateUpload,
  NewUploads,
  SentUpload,
  SkippedUploads,
  UploadAnswer,
  UploadList,
  UploadSummary,
} from "./schema.ts";
import { createDuplicate, sendUpload, sentDocument } from "./send.ts";

/** Operations that upload many files at once, each of which becomes a contract. */
export const uploads = {
  list: operation({
    summary: "List the files of your upload",
    description: "The files still missing, and the results of the others, until the list is cleared.",
    scopes: ["contracts:read"],
    input: z.strictObject({}),
    output: UploadList,
    errors: [],
    run: listUploads,
  }),
  summary: operation({
    summary: "Count the files of your upload",
    scopes: ["contracts:read"],
    input: z.strictObject({}),
    output: UploadSummary,
    errors: [],
    run: countUploads,
  }),
  add: operation({
    summary: "Add files to your upload by name",
    description: "Files already on the list are returned as they are.",
    scopes: ["contracts:write"],
    input: NewUploads,
    output: UploadList,
    errors: ["conflict"],
    ignoresIdempotencyKey: true,
    run: addUploads,
  }),
  send: operation({
    summary: "Send a file of your upload",
    description: "It becomes a contract, unless a live contract of the workspace has the same document.",
    scopes: ["contracts:write"],
    input: SentUpload,
    file: sentDocument,
    output: UploadAnswer,
    errors: ["not_found", "conflict"],
    // The file's row is updated in the contract's transaction, and outlives the responses stored for idempotency keys.
    ignoresIdempotencyKey: true,
    run: (ctx, input, file) => sendUpload(ctx, input, file!),
  }),
  createDuplicate: operation({
    summary: "Create a contract from a duplicate anyway",
    scopes: ["contracts:write"],
    input: DuplicateUpload,
    output: UploadAnswer,
    errors: ["not_found", "conflict"],
    ignoresIdempotencyKey: true,
    run: createDuplicate,
  }),
  skip: operation({
    summary: "Skip files of your upload",
    scopes: ["contracts:write"],
    input: SkippedUploads,
    errors: [],
    run: skipUploads,
  }),
  clear: operation({
    summary: "Clear the list of your upload",
    description: "Contracts already created are kept.",
    scopes: ["contracts:write"],
    input: z.strictObject({}),
    errors: [],
    run: clearUploads,
  }),
};
