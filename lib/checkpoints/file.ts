/**
 * A checkpoint states the end of a workspace's audit log at a time, signed with the workspace's key. Kept outside the
 * database, it proves that no one has cut, emptied or rewritten the log since. Its file is JSON:
 * `{"checkpoint": {…}, "signature": "…"}`. The signature is a detached CMS (base64, with the certificate) over the
 * checkpoint as JSON without spaces.
 */
import { createHash, hash } from "node:crypto";
import { z } from "zod";
import { readCms, signDigest, verifySignedData } from "#lib/documents/seal/cms.ts";
import { describeCertificate, type SealingKey } from "#lib/documents/seal/signing-key.ts";

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

export const Checkpoint = z.strictObject({
  version: z.literal(1),
  id: z.string(),
  organizationId: z.string(),
  at: z.iso.datetime(),
  /** The number of the audit log's last event; its hash covers all events before it. */
  seq: z.string().regex(/^\d{1,19}$/),
  hash: sha256,
  /** The signature requests whose history grew since the previous checkpoint: their number of events and last hash. */
  signatureRequests: z.array(z.strictObject({ id: z.string(), events: z.int(), hash: sha256 })),
});
export type Checkpoint = z.output<typeof Checkpoint>;

const File = z.strictObject({ checkpoint: Checkpoint, signature: z.base64() });

/** The file is not a valid checkpoint. The message says why. */
export class BadCheckpoint extends Error {
  override name = "BadCheckpoint";
}

export interface SignedCheckpoint {
  checkpoint: Checkpoint;
  /** SHA-256 of the certificate whose key signed it. The caller must check whose certificate that is. */
  fingerprint: string;
}

/** Signs a checkpoint and returns the text of its file. */
export async function signCheckpoint(checkpoint: Checkpoint, key: SealingKey): Promise<string> {
  const signature = await signDigest(hash("sha256", JSON.stringify(checkpoint), "buffer"), key);
  return `${JSON.stringify({ checkpoint, signature: Buffer.from(signature).toString("base64") })}\n`;
}

/** Reads a checkpoint and verifies its signature with the certificate in it. Throws BadCheckpoint. */
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
    const held = verifySignedData(cms, (algorithm) => createHash(algorithm).update(signed).digest());
    if (held.digest && held.signature) {
      return { checkpoint, fingerprint: describeCertificate(cms.certificates[0]!).fingerprint };
    }
  } catch (cause) {
    throw new BadCheckpoint("Its signature cannot be read.", { cause });
  }
  throw new BadCheckpoint("It was altered: its signature belongs to another text.");
}
