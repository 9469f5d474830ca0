/**
 * The work of the sealing process, which has no key. It starts with a blank page, so that the first document is fast
 * too.
 */
import { EncryptedPDFError } from "#lib/documents/pdf/pdf-lib.ts";
import { UnacceptableFile } from "#lib/documents/sandbox/unacceptable-file.ts";
import { type SealedPages, type SealInput, sealBytes } from "./seal-pages.ts";

export { warmUp } from "./trial.ts";

export async function sealPages({
  bytes,
  ...input
}: SealInput & { bytes: Uint8Array }): Promise<SealedPages | { problem: string }> {
  try {
    return await sealBytes(bytes, input);
  } catch (error) {
    if (error instanceof EncryptedPDFError) return { problem: "The PDF is encrypted." };
    if (error instanceof UnacceptableFile) return { problem: `The document ${error.message}.` };
    if (error instanceof RangeError) return { problem: error.message };
    throw error;
  }
}
