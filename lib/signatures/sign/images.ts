/** Signature images uploaded by signers: decoded in the sandboxed child process, and limited per signer. */
import type { Context } from "#lib/core/context.ts";
import { invalid } from "#lib/core/errors.ts";
import { serverBusy } from "#lib/core/lanes.ts";
import { limiter, refuseOverLimit } from "#lib/core/limits/limiter.ts";
import { parser, runInChild } from "#lib/documents/sandbox/child.ts";
import { ParserFailed } from "#lib/documents/sandbox/watch.ts";
import type { readSignatureImage } from "#lib/documents/stamp/signature-image.ts";
import { store } from "#lib/storage/store.ts";
import { requireSigner, turnOfSigner } from "./turn.ts";

const imageParser = parser<typeof readSignatureImage>(
  "lib/documents/stamp/signature-image.ts",
  "readSignatureImage",
  "images",
);

/** The largest image takes a quarter of a second, most of it for starting. */
const limits = { timeoutMs: 2_000, memoryMb: 256, answerMb: 4 };

/** Per ten minutes, initials included: enough for someone who redraws again and again. */
const maxImages = 30;
const windowSeconds = 10 * 60;

/** Stores the processed image that the signer sent; throws if it is not an image. */
export async function storeImage(ctx: Context, path: string, base64: string): Promise<string> {
  await countImage(requireSigner(ctx).id);
  const read = await runInChild(imageParser, { base64 }, limits, turnOfSigner(ctx)).catch((error) => {
    if (!(error instanceof ParserFailed)) throw error;
    if (error.reason === "stalled") throw serverBusy();
    return { wrong: "The image is damaged." };
  });
  if ("wrong" in read) throw invalid({ path, message: read.wrong });
  return (await store(ctx.organizationId, Buffer.from(read.png, "base64"))).sha256;
}

const countImage = (signerId: string): Promise<void> =>
  refuseOverLimit(
    limiter("images", maxImages, windowSeconds),
    signerId,
    (seconds) =>
      `At most ${maxImages} images are accepted in ten minutes. Try again in ${seconds} seconds, or type your name.`,
  );
