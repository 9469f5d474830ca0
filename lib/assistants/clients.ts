/** The programs that ask to be connected: what they may say of themselves, and those that registered. */
import { randomBytes } from "node:crypto";
import { clock } from "#lib/core/clock.ts";
import { db } from "#lib/core/db.ts";
import { housekeeping } from "#lib/core/housekeeping.ts";
import { isLoopback } from "#lib/core/network.ts";
import type { AssistantProgram } from "./schema.ts";

export type Metadata = Record<string, unknown>;

const mostRedirects = 10;
const longestUri = 500;
const longestName = 100;

export const newClientId = () => `asc_${randomBytes(16).toString("base64url")}`;

/** Links that do something in a browser or on a computer, instead of opening the program that asked. */
const harmful =
  /^(javascript|vbscript|data|blob|file|about|filesystem|view-source|ftp|wss?|mailto|tel|sms|intent|chrome|edge|ms-[\w-]+):$/;

/** Why an answer cannot go there; null where it can. Plain http is for this computer alone (RFC 8252, 7.3). */
function redirectProblem(uri: unknown): string | null {
  if (typeof uri !== "string" || uri.length > longestUri || /[\s\p{C}]/u.test(uri)) {
    return `must be addresses of at most ${longestUri} characters`;
  }
  const url = URL.parse(uri);
  if (!url || uri.includes("#") || url.username || url.password) {
    return "must be complete addresses without a fragment or a password";
  }
  if (harmful.test(url.protocol)) return "must lead back to the program";
  if (url.protocol === "http:" && !isLoopback(url.hostname)) {
    return "must begin with https://, except for programs on the person's own computer";
  }
  return null;
}

/**
 * What is kept of a program's metadata; or, as a text, what is wrong with it. Every program here is public: it has no
 * secret, and proves with PKCE that it is the one that asked. So whatever else it wants to be is left out.
 */
export function keptMetadata(given: Metadata): Metadata | string {
  const { redirect_uris: redirects, token_endpoint_auth_method: method } = given;
  if (!Array.isArray(redirects) || redirects.length === 0) return "redirect_uris is required";
  if (redirects.length > mostRedirects) return `redirect_uris can have at most ${mostRedirects} entries`;
  const problem = redirects.map(redirectProblem).find((found) => found !== null);
  if (problem) return `redirect_uris ${problem}`;
  if (method === "private_key_jwt") return "token_endpoint_auth_method must be none";
  return {
    client_name: shownName(given.client_name) ?? undefined,
    redirect_uris: redirects,
    token_endpoint_auth_method: "none",
    // So that the ports of loopback addresses may vary, and plain http leads nowhere else.
    application_type: "native",
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    response_modes: ["query"],
  };
}

/** Of a name what people can trust to read: in one line, without what turns or hides letters. */
function shownName(name: unknown): string | null {
  if (typeof name !== "string") return null;
  const visible = name.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, " ").replace(/\s+/g, " ");
  return [...visible.trim()].slice(0, longestName).join("").trim() || null;
}

/** What a person is told of a program that asks to be answered at this address. */
export function describeProgram(id: string, name: string | undefined, redirect: string): AssistantProgram {
  const document = id.startsWith("https://") ? URL.parse(id) : null;
  const target = new URL(redirect);
  const returnsTo = target.protocol === "https:" ? "site" : target.protocol === "http:" ? "computer" : "app";
  // Where the answer goes is what matters: a document may be on a site where anyone can put one.
  const host = returnsTo === "site" ? target.host : (document?.host ?? ownHost(target));
  return {
    name: shownName(name) ?? host,
    host,
    // Any program on a computer can be answered there: that a site vouches for one says nothing of this one.
    isVerified: returnsTo === "site" && document?.host === target.host,
    returnsTo,
  };
}

/** Of an app the scheme of its links: it has no host. */
const ownHost = (target: URL) => (target.protocol === "http:" ? target.host : target.protocol.slice(0, -1));

/** Keeps what a program registered. */
export async function saveClient(id: string, metadata: Metadata, now = clock()): Promise<void> {
  // What is undefined is left out, as JSON does.
  const data = { metadata: JSON.parse(JSON.stringify(metadata)), usedAt: now };
  await housekeeping((store) => store.assistantClient.create({ data: { id, ...data, createdAt: now } }));
}

export async function findClient(id: string): Promise<Metadata | undefined> {
  if (!/^asc_[\w-]{22}$/.test(id)) return undefined;
  const row = await db.assistantClient.findUnique({ where: { id }, select: { metadata: true } });
  return row?.metadata as Metadata | undefined;
}
