/**
 * The job `versions.preview`: draws the first page of a version. It may be killed at any point, repeated and run twice
 * at once: the image is stored by its hash, and the row names one image.
 */
import { z } from "zod";
import { changeUnaudited, reader } from "#lib/core/change.ts";
import { type Context, own, systemContext } from "#lib/core/context.ts";
import { turnOf } from "#lib/core/lanes.ts";
import { log } from "#lib/core/log.ts";
import type { drawFirstPage } from "#lib/documents/preview/first-page.ts";
import { parser, runInChild } from "#lib/documents/sandbox/child.ts";
import { ParserFailed } from "#lib/documents/sandbox/watch.ts";
import { lockExistingFile } from "#lib/storage/hold.ts";
import { store, withStoredFile } from "#lib/storage/store.ts";

const drawer = parser<typeof drawFirstPage>(
  "lib/documents/preview/first-page.ts",
  "drawFirstPage",
  "previews",
  { addons: true },
);

/** A page of text takes half a second and 160 MB, a scanned one twice that. */
const limits = { timeoutMs: 5000, memoryMb: 768, answerMb: 4 };

const maxStalls = 4;

const Payload = z.object({ organizationId: z.string(), versionId: z.string() });

export async function drawPreview(
  payload: unknown,
  attempt: { attempts: number; max_attempts: number },
): Promise<void> {
  const { organizationId, versionId } = Payload.parse(payload);
  const ctx = systemContext(organizationId, "versions.preview");
  const where = { ...own(ctx), id: versionId };
  const version = await reader().documentVersion.findFirst({ where, include: { preview: true } });
  if (!version?.pdfSha256 || version.preview?.state !== "PENDING") return;
  try {
    await settle(ctx, versionId, await draw(ctx, version.pdfSha256));
  } catch (error) {
    // Retries until a file store is available again, but gives up sooner on a document that stalls its reader.
    const most = error instanceof ParserFailed ? maxStalls : attempt.max_attempts;
    if (attempt.attempts < most) throw error;
    const why = error instanceof Error ? error.message : String(error);
    log().warn({ organizationId, versionId, error: why }, "gave up on a preview");
    await settle(ctx, versionId, null);
  }
}

/** The output of a process that read an untrusted file: only an image of the agreed size is accepted. */
const Drawn = z.object({
  width: z.int().min(1).max(1000),
  height: z.int().min(1).max(1500),
  image: z
    .base64()
    .transform((text) => Buffer.from(text, "base64"))
    .refine(
      (bytes) => bytes.toString("latin1", 0, 4) === "RIFF" && bytes.toString("latin1", 8, 12) === "WEBP",
    ),
});
type Drawn = z.output<typeof Drawn>;

/** Returns null if the page can never be drawn. Throws if a retry may help. */
async function draw(ctx: Context, pdfSha256: string): Promise<Drawn | null> {
  const { organizationId } = ctx;
  try {
    const drawn = await withStoredFile(organizationId, pdfSha256, (path) =>
      runInChild(drawer, { path }, limits, turnOf(ctx)),
    );
    return Drawn.parse(drawn);
  } catch (error) {
    const isLasting =
      error instanceof z.ZodError || (error instanceof ParserFailed && error.reason !== "stalled");
    if (!isLasting) throw error;
    log().warn(
      { organizationId, sha256: pdfSha256, error: error.message },
      "the first page could not be rendered",
    );
    return null;
  }
}

async function settle(ctx: Context, versionId: string, drawn: Drawn | null): Promise<void> {
  const stored = drawn && (await store(ctx.organizationId, drawn.image));
  await changeUnaudited(ctx, async (tx) => {
    if (stored) await lockExistingFile(tx, ctx.organizationId, stored.sha256);
    await tx.versionPreview.updateMany({
      where: { ...own(ctx), versionId, state: "PENDING" },
      data:
        drawn && stored
          ? { state: "READY", sha256: stored.sha256, width: drawn.width, height: drawn.height }
          : { state: "FAILED" },
    });
  });
}
