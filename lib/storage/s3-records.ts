/** Records in an S3-compatible store: locked for years if the bucket supports it, and never overwritten. */
import { hash } from "node:crypto";
import {
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type PutObjectCommandInput,
  type S3Client,
  S3ServiceException,
} from "@aws-sdk/client-s3";
import { clock } from "#lib/core/clock.ts";
import type { RecordStore } from "./backend.ts";

const lockedMs = 10 * 365 * 24 * 60 * 60 * 1000;

const statusOf = (error: unknown) =>
  error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;

export function s3Records(client: S3Client, bucket: string, prefix: string): RecordStore {
  /** Creates an object: first with all conditions, then without those that the store does not support. */
  async function put(object: PutObjectCommandInput, conditions: Partial<PutObjectCommandInput>[]) {
    const [first, ...rest] = conditions;
    try {
      await client.send(new PutObjectCommand({ ...object, ...first }));
    } catch (error) {
      const status = statusOf(error);
      if (status === 412) return;
      // 400: the bucket has no object lock. 501: the store supports no locks, or no conditions.
      if ((status !== 400 && status !== 501) || rest.length === 0) throw error;
      await put(object, rest);
    }
  }

  return {
    async put(name, bytes) {
      const object = {
        ...{ Bucket: bucket, Key: `${prefix}${name}`, Body: bytes, ContentLength: bytes.length },
        // Locks are only accepted together with a checksum.
        ContentMD5: hash("md5", bytes, "base64"),
      };
      const once = { IfNoneMatch: "*" };
      const lock = {
        ObjectLockMode: "GOVERNANCE",
        ObjectLockRetainUntilDate: new Date(clock().getTime() + lockedMs),
      } as const;
      await put(object, [{ ...once, ...lock }, once, lock, {}]);
    },
    async list(folder) {
      const names: string[] = [];
      let ContinuationToken: string | undefined;
      do {
        const page = await client.send(
          new ListObjectsV2Command({ Bucket: bucket, Prefix: `${prefix}${folder}`, ContinuationToken }),
        );
        names.push(...(page.Contents ?? []).map(({ Key = "" }) => Key.slice(prefix.length)));
        ContinuationToken = page.NextContinuationToken;
      } while (ContinuationToken);
      return names.sort();
    },
    async read(name) {
      const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: `${prefix}${name}` }));
      return Buffer.from((await Body?.transformToByteArray()) ?? []);
    },
  };
}
