/**
 * The end of a signature request: one PDF with everything filled in, its certificate pages, and a PAdES seal over
 * every byte (B-B; B-T if a time-stamp authority is set).
 */
import { createHash, hash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { warmPool } from "#lib/documents/sandbox/warm.ts";
import { ParserFailed } from "#lib/documents/sandbox/watch.ts";
import { sendForOperator } from "#lib/egress/egress.ts";
import { sealSize, signDigest } from "./cms.ts";
import type { SealedPages, SealInput } from "./seal-pages.ts";
import { describeCertificate, type SealingKey } from "./signing-key.ts";
import { parseTimestampResponse, timestampRequest } from "./timestamp.ts";

export interface SealOptions {
  /** Of a time-stamp authority (RFC 3161) chosen by the operator. */
  timestampUrl?: string | undefined;
  verifyUrl?: string | undefined;
  at?: Date;
}

export interface SealedDocument {
  bytes: Buffer;
  sha256: string;
  /** Of the PDF with everything filled in, before certificate pages and seal. */
  stampedSha256: string;
  pageCount: number;
  certificatePages: number;
  level: "B-B" | "B-T";
}

/** Why a document cannot be sealed now. The message is for the sender and the operator. */
export class CannotSeal extends Error {
  override name = "CannotSeal";
}

/** The result includes the whole document. */
const limits = { timeoutMs: 120_000, memoryMb: 2048, answerMb: 300 };

type Pages = Omit<SealedPages, "bytes"> | { problem: string };

/** The last signer waits for the seal, so an unused process is always ready. */
const writer = { module: "lib/documents/seal/pages-writer.ts", name: "sealPages", lane: "sealing" } as const;

/** Reserved besides the seal: tokens with their certificates have 3 to 7 kB. */
const timestampBytes = 16 * 1024;

interface Document extends Pick<SealInput, "evidence" | "fields"> {
  /** The file of the unsigned PDF. */
  path: string;
}

export async function sealDocument(
  document: Document,
  key: SealingKey,
  { timestampUrl, verifyUrl, at = new Date() }: SealOptions = {},
): Promise<SealedDocument> {
  const sealBytes = sealSize(key) + (timestampUrl ? timestampBytes : 0);
  const pages = await writePages({
    ...document,
    verifyUrl: verifyUrl ?? null,
    sealedWith: describeCertificate(key.certificates[0]!),
    at: at.toISOString(),
    sealBytes,
  });
  const bytes = Buffer.from(pages.bytes.buffer, pages.bytes.byteOffset, pages.bytes.byteLength);
  const [start, end] = pages.gap;
  const digest = createHash("sha256").update(bytes.subarray(0, start)).update(bytes.subarray(end)).digest();
  const seal = await signDigest(
    digest,
    key,
    timestampUrl ? (signature) => stampTime(timestampUrl, signature) : undefined,
  );
  if (seal.length > sealBytes)
    throw new CannotSeal(`The time-stamp has ${seal.length - sealBytes} bytes too many.`);
  bytes.write(Buffer.from(seal).toString("hex"), start + 1, "latin1");
  return {
    bytes,
    sha256: hash("sha256", bytes, "hex"),
    stampedSha256: pages.stampedSha256,
    pageCount: pages.pageCount,
    certificatePages: pages.certificatePages,
    level: timestampUrl ? "B-T" : "B-B",
  };
}

async function writePages({ path, ...input }: SealInput & { path: string }): Promise<SealedPages> {
  const turn = { share: input.evidence.organization.id };
  try {
    const pages = await warmPool<SealInput, Pages>(writer, limits, { freshMs: Infinity }).run(
      input,
      () => readFile(path),
      turn,
    );
    if ("problem" in pages) throw new CannotSeal(pages.problem);
    return pages;
  } catch (cause) {
    if (!(cause instanceof ParserFailed)) throw cause;
    throw new CannotSeal(reasons[cause.reason], { cause });
  }
}

const reasons: Record<ParserFailed["reason"], string> = {
  stalled: "Writing the document stalled.",
  time: "Writing the document took too long.",
  memory: "Writing the document took too much memory.",
  crash: "The document could not be written.",
};

const maxTimestampResponseBytes = 64 * 1024;

async function stampTime(url: string, signature: Uint8Array): Promise<Uint8Array> {
  const request = timestampRequest(signature);
  try {
    const response = await sendForOperator({
      url,
      method: "POST",
      headers: { "content-type": "application/timestamp-query", accept: "application/timestamp-reply" },
      body: request.body,
      timeoutMs: 20_000,
      maxResponseBytes: maxTimestampResponseBytes,
    });
    if (response.status !== 200) throw new Error(`it answered ${response.status}`);
    return parseTimestampResponse(response.bytes, signature, request);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new CannotSeal(`The time-stamp authority at ${new URL(url).host} issued no time-stamp: ${why}`, {
      cause,
    });
  }
}
