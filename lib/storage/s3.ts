/** Files in an S3-compatible store: `<prefix><workspace>/<sha256>` in one bucket, and `<prefix>records/`. */
import { once } from "node:events";
import { createReadStream } from "node:fs";
import { Readable } from "node:stream";
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  NoSuchKey,
  NotFound,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from "@aws-sdk/client-s3";
import { clock } from "#lib/core/clock.ts";
import { type Backend, type FileInfo, type Key, Replaced } from "./backend.ts";
import { s3Records } from "./s3-records.ts";

export interface S3Settings {
  bucket: string;
  /** Empty, or ending in a slash. */
  prefix: string;
  endpoint?: string | undefined;
  region: string;
  credentials?: { accessKeyId: string; secretAccessKey: string } | undefined;
}

/**
 * A store that is silent for this long during a request is considered lost: nothing else reveals a dead connection.
 */
const usualPatienceMs = 15_000;

export function s3(
  { bucket, prefix, endpoint, region, credentials }: S3Settings,
  longestSilenceMs = usualPatienceMs,
): Backend {
  const config = {
    region,
    ...(endpoint ? { endpoint, forcePathStyle: true } : {}),
    ...(credentials ? { credentials } : {}),
    // Checksums in trailers are Amazon's own; the signed sha256 of each body serves the same purpose, everywhere.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
  } as const;
  const connectionTimeout = longestSilenceMs;
  const client = new S3Client({
    ...config,
    requestHandler: { connectionTimeout, socketTimeout: longestSilenceMs },
  });
  // A file's connection is silent too while a client reads it slowly, so only the start of the response is timed. The
  // number of sockets is unlimited, so that nothing waits for slow readers.
  const unlimited = { maxSockets: Number.POSITIVE_INFINITY };
  const reading = new S3Client({
    ...config,
    requestHandler: {
      ...{ connectionTimeout, requestTimeout: longestSilenceMs, throwOnRequestTimeout: true },
      ...{ httpAgent: unlimited, httpsAgent: unlimited },
    },
  });
  const at = (key: Key) => ({ Bucket: bucket, Key: `${prefix}${key.organizationId}/${key.sha256}` });

  async function put(key: Key, path: string, sizeBytes: number, more: { IfNoneMatch?: string }) {
    const Body = createReadStream(path);
    const broken = once(Body, "error").then(([error]) => Promise.reject(error));
    const sending = new AbortController();
    const command = new PutObjectCommand({ ...at(key), ...more, Body, ContentLength: sizeBytes });
    // The signature uses this as the body's hash, and the store rejects a body with another hash.
    command.middlewareStack.add(
      (next) => (args) => {
        (args.request as { headers: Record<string, string> }).headers["x-amz-content-sha256"] = key.sha256;
        return next(args);
      },
      { step: "build" },
    );
    try {
      await Promise.race([
        client
          .send(command, { abortSignal: sending.signal })
          .catch((error) => Promise.reject(ofStore(error))),
        broken,
      ]);
    } finally {
      sending.abort();
      Body.destroy();
    }
  }

  async function find(key: Key): Promise<FileInfo | null> {
    try {
      const { ContentLength, LastModified, ETag } = await client.send(new HeadObjectCommand(at(key)));
      const modifiedAt = LastModified ?? new Date(0);
      return { sizeBytes: ContentLength ?? 0, modifiedAt, stamp: `${ETag}` };
    } catch (error) {
      if (error instanceof NotFound) return null;
      throw error;
    }
  }

  return {
    pathOf: () => null,
    records: s3Records(client, bucket, `${prefix}records/`),
    find,
    async put(key, path, sizeBytes) {
      try {
        await put(key, path, sizeBytes, { IfNoneMatch: "*" });
      } catch (error) {
        const status = error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;
        // 412: the object exists. 409: it is being written. 501: the store supports no conditions.
        if (status !== 412 && status !== 409 && status !== 501) throw error;
        if (status === 412 && isFresh(await find(key), sizeBytes)) return;
        await put(key, path, sizeBytes, {});
      }
    },
    async open(key, found, range) {
      const Range = range && `bytes=${range.start}-${range.end}`;
      try {
        const command = new GetObjectCommand({ ...at(key), Range, IfMatch: found.stamp });
        return withIdleTimeout((await reading.send(command)).Body as Readable, longestSilenceMs);
      } catch (error) {
        if (error instanceof S3ServiceException && error.$metadata.httpStatusCode === 412)
          throw new Replaced(`${at(key).Key} changed before it was opened.`);
        if (error instanceof NoSuchKey) throw new Error(`${at(key).Key} was removed while it was read.`);
        throw error;
      }
    },
    async remove(key) {
      await client.send(new DeleteObjectCommand(at(key)));
    },
    async *list() {
      let ContinuationToken: string | undefined;
      do {
        const page = await client.send(
          new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, ContinuationToken }),
        );
        for (const { Key: name = "", LastModified = new Date() } of page.Contents ?? []) {
          const [organizationId = "", sha256 = ""] = name.slice(prefix.length).split("/");
          if (/^[0-9a-f]{64}$/.test(sha256)) yield { organizationId, sha256, modifiedAt: LastModified };
        }
        ContinuationToken = page.NextContinuationToken;
      } while (ContinuationToken);
    },
  };
}

/** Marks an error as one of the store, as the client does after retries: a connection error alone does not say so. */
const ofStore = (error: Error & { $metadata?: object }) =>
  Object.assign(error, { $metadata: error.$metadata ?? {} });

/** Reads `source`, but fails if more is requested and nothing arrives for this long. */
function withIdleTimeout(source: Readable, longestSilenceMs: number): Readable {
  async function* chunks() {
    const wait = () =>
      setTimeout(() => source.destroy(new Error("the object store stopped responding")), longestSilenceMs);
    let silent = wait();
    try {
      for await (const chunk of source) {
        clearTimeout(silent);
        yield chunk;
        silent = wait();
      }
    } finally {
      clearTimeout(silent);
    }
  }
  // An error before reading starts is passed on to the reader; a reader who leaves before that leaves no connection
  // open.
  source.on("error", ofStore);
  return Readable.from(chunks(), { objectMode: false }).once("close", () => source.destroy());
}

const freshMs = 60 * 60 * 1000;

/** Older objects are written again, which renews their date, so that no sweep removes them, and repairs them. */
function isFresh(found: FileInfo | null, sizeBytes: number): boolean {
  return (
    found !== null &&
    found.sizeBytes === sizeBytes &&
    found.modifiedAt.getTime() > clock().getTime() - freshMs
  );
}
