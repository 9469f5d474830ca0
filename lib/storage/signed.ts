/** Links to one stored file each, which work for five minutes without a key. */
import { timingSafeEqual } from "node:crypto";
import type { Context } from "#lib/core/context.ts";
import { mac } from "#lib/core/encryption.ts";
import { settings } from "#lib/core/env.ts";
import { Refusal } from "#lib/core/errors.ts";

export interface LinkedFile {
  sha256: string;
  fileName: string;
  contentType: string;
  disposition: "attachment" | "inline";
}

export const filesPath = "/api/files";
const expiresInSeconds = 300;
const purpose = "link to a file";

/** A link to the file as described. Anyone with the link can read the file, so return it only to those who may. */
export function signedUrl(ctx: Context, { sha256, fileName, contentType, disposition }: LinkedFile) {
  const expires = Math.floor(ctx.now.getTime() / 1000) + expiresInSeconds;
  const said = JSON.stringify([ctx.organizationId, sha256, fileName, contentType, disposition, expires]);
  const payload = Buffer.from(said).toString("base64url");
  const token = `${payload}.${mac(payload, purpose).toString("base64url")}`;
  const url = `${settings().BASE_URL}${filesPath}/${token}/${encodeURIComponent(fileName)}`;
  return { url, expiresInSeconds };
}

/** What a link shows; throws if it was altered or has expired. */
export function verifySignedPath(path: string, now: Date): LinkedFile & { organizationId: string } {
  const [token = ""] = path.slice(filesPath.length + 1).split("/", 1);
  const [payload = "", signature = ""] = token.split(".");
  const given = Buffer.from(signature, "base64url");
  const expected = mac(payload, purpose);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
    throw new Refusal("forbidden", "This link is not complete. Copy all of it, or ask for a new one.");
  }
  const [organizationId, sha256, fileName, contentType, disposition, expires] = JSON.parse(
    Buffer.from(payload, "base64url").toString(),
  );
  if (expires * 1000 <= now.getTime()) {
    throw new Refusal("forbidden", "This link has expired. Ask for a new one where you got it.");
  }
  return { organizationId, sha256, fileName, contentType, disposition };
}
