import { z } from "zod";
import { pathId } from "#lib/core/wire.ts";

export const PreviewQuestion = z.strictObject({
  contractId: pathId("contract"),
  versionId: pathId("version"),
});

export const Preview = z.object({
  preview: z.object({
    state: z.enum(["PENDING", "READY", "FAILED"]),
    width: z.int().nullable(),
    height: z.int().nullable(),
  }),
});

export type Preview = z.output<typeof Preview>["preview"];
