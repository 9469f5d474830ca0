import { z } from "zod";
import { DocumentIn } from "#lib/contracts/schema.ts";
import { idIn, idOut, name, pathId, requiredText, timestamp } from "#lib/core/wire.ts";

export const uploadStates = ["MISSING", "CREATED", "DUPLICATE", "SKIPPED"] as const;

/** The limit of files on a member's list. */
export const maxUploads = 1_000;

const path = requiredText(1_000).meta({ example: "Suppliers/northwind-msa.pdf" });

const sizeBytes = z.int().min(1).max(52_428_800);

export const Upload = z.object({
  id: idOut("upload"),
  path: z.string(),
  sizeBytes: z.int(),
  state: z.enum(uploadStates),
  contract: z
    .object({ id: idOut("contract"), title: z.string() })
    .nullable()
    .meta({ description: "The contract that was created; of a duplicate, the one that has the document" }),
  createdAt: timestamp,
});
export type Upload = z.output<typeof Upload>;

export const UploadList = z.object({ data: z.array(Upload) });
/** The number of files on the list, and of those that are missing, or duplicates to decide on. */
export const UploadSummary = z.object({ total: z.int(), missing: z.int(), duplicates: z.int() });
export const UploadAnswer = z.object({ upload: Upload });

export const NewUploads = z.strictObject({
  files: z.array(z.strictObject({ path, sizeBytes })).min(1).max(maxUploads),
});
export type NewUploads = z.output<typeof NewUploads>;

/** The title is used if the document does not provide one. */
const which = { id: pathId("upload"), title: name };

export const SentUpload = z.strictObject({ ...which, document: DocumentIn });
export type SentUpload = z.output<typeof SentUpload>;

export const DuplicateUpload = z.strictObject(which);
export type DuplicateUpload = z.output<typeof DuplicateUpload>;

export const SkippedUploads = z.strictObject({ ids: z.array(idIn("upload")).min(1).max(maxUploads) });
