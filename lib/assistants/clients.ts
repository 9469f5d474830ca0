/** The programs that ask to be connected: validation of their metadata, and the registered ones. */
import { randomBytes } from "node:crypto";
import { clock } from "#lib/core/clock.ts";
import { db } from "#lib/core/db.ts";
import { housekeeping } from "#lib/core/housekeeping.ts";
import { isLoopback } from "#lib/core/network.ts";
import type { AssistantProgram } from "./schema.ts";

export type Metadata = Record<string, unknown>;

const maxRedirects = 10;
const longestUri = 500;
const longestName = 100;

export const newClientId = () => `asc_${randomBytes(16).toString("base64url")}`;

/** Schemes of links that act in the browser or on the computer, instead of opening the program that asked. */
const unsafeSchemes =
  /^(javascript|vbscript|data|blob|file|about|filesystem|view-source|ftp|wss?|mailto|tel|sms|intent|chrome|edge|ms-[\w-]+):$/;

/**
 * Returns why a redirect URI is not acceptable; null if it is. Plain http is for the person's own computer only (RFC
 * 8252, 7.3).
 */
function redirectProblem(uri: unknown): string | null {
  if (typeof uri !== "string" || uri.length > longestUri || /[\s\p{C}]/u.test(uri)) {
    return `must be addresses of at most ${longestUri} characters`;
  }
  const url = URL.parse(uri);
  if (!url || uri.includes("#") || url.username || url.password) {
    return "must be complete addresses without a fragment or a password";
  }
  if (unsafeSchemes.test(url.protocol)) return "must lead back to the program";
  if (url.protocol === "http:" && !isLoopback(url.hostname)) {
    return "must begin with https://, except for programs on the person's own computer";
  }
  return null;
}

/**
 * Returns the part of a program's metadata that is kept, or a text that says what is wrong. All programs are public
 * clients: they have no secret, and prove with PKCE that they sent the request. Any other setting that they ask for is
 * left out.
 */
export function clientMetadata(given: Metadata): Metadata | string {
  const { redirect_uris: redirects, token_endpoint_auth_method: method } = given;
  if (!Array.isArray(redirects) || redirects.length === 0) return "redirect_uris is required";
  if (redirects.length > maxRedirects) return `redirect_uris can have at most ${maxRedirects} entries`;
  const problem = redirects.map(redirectProblem).find((found) => found !== null);
  if (problem) return `redirect_uris ${problem}`;
  if (method === "private_key_jwt") return "token_endpoint_auth_method must be none";
  return {
    client_name: displayName(given.client_name) ?? undefined,
    redirect_uris: redirects,
    token_endpoint_auth_method: "none",
    // Allows any port of a loopback address, and plain http nowhere else.
    application_type: "native",
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    response_modes: ["query"],
  };
}

/** Returns a name that people can trust to read: on one line, without characters that reorder or hide text. */
function displayName(name: unknown): string | null {
  if (typeof name !== "string") return null;
  const visible = name.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, " ").replace(/\s+/g, " ");
  return [...visible.trim()].slice(0, longestName).join("").trim() || null;
}

/** Describes a program that asks for redirection to this URI, for the person who decides. */
export function describeProgram(id: string, name: string | undefined, redirect: string): AssistantProgram {
  const document = id.startsWith("https://") ? URL.parse(id) : null;
  const target = new URL(redirect);
  const returnsTo = target.protocol === "https:" ? "site" : target.protocol === "http:" ? "computer" : "app";
  // The host that receives the answer is what matters: the metadata document may be on a site where anyone can publish.
  const host = returnsTo === "site" ? target.host : (document?.host ?? ownHost(target));
  return {
    name: displayName(name) ?? host,
    host,
    // Any program on the computer could receive the answer: a site that vouches for one program does not vouch for all.
    isVerified: returnsTo === "site" && document?.host === target.host,
    returnsTo,
  };
}

/** Returns the scheme of an app's links, since it has no host. */
const ownHost = (target: URL) => (target.protocol === "http:" ? target.host : target.protocol.slice(0, -1));

/** Saves a program's registration. */
export async function saveClient(id: string, metadata: Metadata, now = clock()): Promise<void> {
  // Leaves out undefined values, as JSON does.
  const data = { metadata: JSON.parse(JSON.stringify(metadata)), usedAt: now };
  await housekeeping((store) => store.assistantClient.create({ data: { id, ...data, createdAt: now } }));
}

export async function findClient(id: string): Promise<Metadata | undefined> {
  if (!/^asc_[\w-]{22}$/.test(id)) return undefined;
  const row = await db.assistantClient.findUnique({ where: { id }, select: { metadata: true } });
  return row?.metadata as Metadata | undefined;
}
