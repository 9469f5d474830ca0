/** The PDF that signers see and that is sealed, or the reason why it cannot be made. */
import { LRUCache } from "lru-cache";
import type { Context } from "#lib/core/context.ts";
import { Refusal } from "#lib/core/errors.ts";
import { parser, runInChild } from "#lib/documents/sandbox/child.ts";
import { inlineLimitBytes, warmPool } from "#lib/documents/sandbox/warm.ts";
import { ParserFailed } from "#lib/documents/sandbox/watch.ts";
import type { createSigningCopy, SigningCopy as Made } from "#lib/documents/seal/signing-copy.ts";
import { findStored, readStored, store, withStoredFile } from "#lib/storage/store.ts";

const copier = parser<typeof createSigningCopy>(
  "lib/documents/seal/signing-copy.ts",
  "createSigningCopy",
  "requests",
);

/** `notes` and `problem` continue a sentence that begins with "the document". */
export type SigningCopy = { sha256: string; notes: string[] } | { problem: string };

/** The trial seal gets half the limits of the real one, so a document that passes here passes there. */
const limits = { timeoutMs: 60_000, memoryMb: 1024, answerMb: 200 };

/** Much shorter than the time for which unreferenced files are kept: no row references the copy until it is sent. */
const keptMs = 10 * 60_000;

const copies = new LRUCache<string, Promise<SigningCopy>>({ max: 1000, ttl: keptMs });

/** Makes the copy once per PDF, for checking and for sending. */
export function signingCopyOf({ organizationId }: Context, pdfSha256: string): Promise<SigningCopy> {
  const name = `${organizationId} ${pdfSha256}`;
  const known = copies.get(name);
  if (known) return known;
  const copy = create(organizationId, pdfSha256);
  copies.set(name, copy);
  copy.catch(() => copies.delete(name));
  return copy;
}

async function create(organizationId: string, pdfSha256: string): Promise<SigningCopy> {
  const made = await run(organizationId, pdfSha256);
  if ("problem" in made) return made;
  const { sha256 } = await store(organizationId, made.bytes);
  return { sha256, notes: made.notes };
}

const stayingCopier = {
  module: "lib/documents/seal/signing-copy.ts",
  name: "signingCopyOfBytes",
  lane: "requests",
} as const;

/** Callers share one copy, so a caller that disconnects does not cancel it. */
async function run(organizationId: string, sha256: string): Promise<Made> {
  const turn = { share: organizationId };
  try {
    if ((await findStored(organizationId, sha256)).sizeBytes <= inlineLimitBytes) {
      const children = warmPool<object, Made>(stayingCopier, limits);
      return await children.run({}, () => readStored(organizationId, sha256), turn);
    }
    return await withStoredFile(organizationId, sha256, async (path) => {
      const made = await runInChild(copier, { path }, limits, turn);
      return "problem" in made ? made : { ...made, bytes: Buffer.from(made.bytes, "base64") };
    });
  } catch (error) {
    if (!(error instanceof ParserFailed)) throw error;
    if (error.reason === "stalled") {
      throw new Refusal("unavailable", "The service is too busy to check the document now. Try again later.");
    }
    return { problem: exceeded[error.reason] };
  }
}

const exceeded: Record<Exclude<ParserFailed["reason"], "stalled">, string> = {
  time: "cannot be sealed: it takes too long to write. Print it to a new PDF, or send it in parts",
  memory:
    "cannot be sealed: it grows too large when it is written. Print it to a new PDF, or send it in parts",
  crash: "cannot be sealed, because it is broken. Print it to a new PDF",
};
