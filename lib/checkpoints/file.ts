/**
 * A checkpoint: what the audit log of a workspace was at a moment, signed with the workspace's key. Kept outside the
 * database, it proves that no one cut, emptied or rewrote the log since. Its file is JSON:
 * `{"checkpoint": {…}, "signature": "…"}`, the signature a detached CMS (base64, the certificate inside) over the
 * checkpoint as JSON without spaces.
 */
import { createHash, hash } from "node:crypto";
import { z } from "zod";
import { holds, readCms, signDigest } from "#lib/documents/seal/cms.ts";
import { describeCertificate, type SealingKey } from "#lib/documents/seal/signing-key.ts";

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

export const Checkpoint = z.strictObject({
  version: z.literal(1),
  id: z.string(),
  organizationId: z.string(),
  at: z.iso.datetime(),
  /** The last event of the audit log, and its hash, which stands for all before it. */
  seq: z.string().regex(/^\d{1,19}$/),
  hash: sha256,
  /** The signature requests whose history grew since the checkpoint before: how many events, and the last one's hash. */
  signatureRequests: z.array(z.strictObject({ id: z.string(), events: z.int(), hash: sha256 })),
});
export type Checkpoint = z.output<typeof Checkpoint>;

const File = z.strictObject({ checkpoint: Checkpoint, signature: z.base64() });

/** The message says what is wrong with the file. */
export class BadCheckpoint extends Error {
  override name = "BadCheckpoint";
}

export interface SignedCheckpoint {
  checkpoint: Checkpoint;
  /** SHA-256 of the certificate whose key signed it. Whose that is, only the caller can know. */
  fingerprint: string;
}

/** The text of a checkpoint's file. */
export async function signCheckpoint(checkpoint: Checkpoint, key: SealingKey): Promise<string> {
  const signature = await signDigest(hash("sha256", JSON.stringify(checkpoint), "buffer"), key);
  return `${JSON.stringify({ checkpoint, signature: Buffer.from(signature).toString("base64") })}\n`;
}

/** Reads a checkpoint whose signature is that of the certificate in it. Throws BadCheckpoint. */
export function readCheckpoint(text: string): SignedCheckpoint {
  let file: z.output<typeof File>;
  try {
    file = File.parse(JSON.parse(text));
  } catch (cause) {
    throw new BadCheckpoint("It is not a checkpoint of an audit log.", { cause });
  }
  const { checkpoint, signature } = file;
  try {
    const cms = readCms(Buffer.from(signature, "base64"));
    const signed = JSON.stringify(checkpoint);
    const held = holds(cms, (algorithm) => createHash(algorithm).update(signed).digest());
    if (held.digest && held.signature) {
      return { checkpoint, fingerprint: describeCertificate(cms.certificates[0]!).fingerprint };
    }
  } catch (cause) {
    throw new BadCheckpoint("Its signature cannot be read.", { cause });
  }
  throw new BadCheckpoint("It was altered: its signature belongs to another text.");
}
