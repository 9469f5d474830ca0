/** Connects Node's http server to the API: the fast path, which the product's own server uses. */

import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { settings } from "#lib/core/env.ts";
import { callerAddress } from "#lib/http/proxy.ts";
import { isOauthPath } from "#lib/oauth/paths.ts";
import { assistantPath, handleAssistantRequest } from "./assistant.ts";
import { filesPath } from "./files.ts";
import { basePath, handleKeyRequest } from "./key.ts";
import { handleMemberRequest, memberPath } from "./member.ts";
import { serveOauth } from "./oauth.ts";
import { handlePreviewRequest, previewsPath } from "./previews.ts";
import { handleSignerRequest, signerPath } from "./signer.ts";

/** Path and query, even if the request line contains an absolute URL. */
function targetOf({ url = "/" }: IncomingMessage): string {
  if (url.startsWith("/")) return url;
  const { pathname = url, search = "" } = URL.parse(url) ?? {};
  return pathname + search;
}

type Handler = typeof handleKeyRequest;

/** The handlers of requests, by path prefix. */
const handlers: Record<string, Handler> = {
  [basePath]: handleKeyRequest,
  [memberPath]: handleMemberRequest,
  [previewsPath]: handlePreviewRequest,
  [signerPath]: handleSignerRequest,
  [filesPath]: handleKeyRequest,
  [assistantPath]: handleAssistantRequest,
};

/** Whether a request is for this path, or for one below it. */
export function isBelow(path: string, request: IncomingMessage): boolean {
  const target = targetOf(request);
  return target.startsWith(path) && ["", "/", "?"].includes(target.charAt(path.length));
}

function handlerOf(request: IncomingMessage): Handler | undefined {
  const path = Object.keys(handlers).find((path) => isBelow(path, request));
  return path === undefined ? undefined : handlers[path];
}

/** Whether a request is for assistants' authorization, whose library uses Node's own request and response. */
const isForOauth = (request: IncomingMessage) =>
  settings().ASSISTANT === "on" && isOauthPath(targetOf(request).split("?", 1)[0]!);

/** Whether a request is for the API: the doors of members, signers or assistants. */
export function isApiRequest(request: IncomingMessage): boolean {
  return handlerOf(request) !== undefined || isForOauth(request);
}

/** Responds to such a request. */
export async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (isForOauth(request)) return serveOauth(request, response, targetOf(request));
  return serveBy(handlerOf(request) ?? handleKeyRequest, request, response);
}

/** Responds to a request with what `handle` returns. */
export async function serveBy(
  handle: Handler,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const header = (name: string) => {
    const value = request.headers[name];
    return Array.isArray(value) ? value.join(", ") : value;
  };
  const result = await handle({
    method: request.method ?? "GET",
    url: targetOf(request),
    ip: callerAddress(request.socket.remoteAddress, header("x-forwarded-for")),
    header,
    chunks: () => bodyOf(request, response),
    gone: () => goneOf(response),
  });
  const isCutShort = !request.complete && request.method !== "GET";
  // The rest of an unread body must not be parsed as the next request.
  if (isCutShort) result.headers.connection = "close";
  response.writeHead(result.status, result.headers);
  if (isCutShort && typeof result.body === "string") {
    response.write(result.body);
    await linger(request);
    response.end();
  } else if (result.body instanceof Readable) await stream(result.body, response);
  else response.end(result.body ?? undefined);
}

/** If the caller disconnects before the first byte, a pipeline does not close its source. */
async function stream(body: Readable, response: ServerResponse): Promise<void> {
  try {
    await pipeline(body, response);
  } catch {
    response.destroy();
  } finally {
    body.destroy();
  }
}

/** Aborted when the connection closes before the response has been written. */
function goneOf(response: ServerResponse): AbortSignal {
  const leaving = new AbortController();
  const look = () => response.writableFinished || leaving.abort();
  if (response.closed) look();
  else response.once("close", look);
  return leaving.signal;
}

const lingerMs = 2000;
const lingerBytes = 4 * 1024 * 1024;

/**
 * Closing immediately would reset the connection, and a caller still sending would lose the response. Discards a
 * limited amount of input first; callers who still send after that have been told why.
 */
async function linger(request: IncomingMessage): Promise<void> {
  const enough = setTimeout(() => request.destroy(), lingerMs);
  try {
    let left = lingerBytes;
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      left -= chunk.length;
      if (left > 0) continue;
      request.pause();
      await once(request, "close");
    }
  } catch {
    // The caller has disconnected, or the time is up.
  } finally {
    clearTimeout(enough);
  }
}

/** Sends "100 Continue" to callers who wait for it, now that the body is wanted. */
function bodyOf(request: IncomingMessage, response: ServerResponse): AsyncIterable<Uint8Array> {
  if (/100-continue/i.test(request.headers.expect ?? "")) response.writeContinue();
  const chunks = request.iterator({ destroyOnReturn: false });
  return { [Symbol.asyncIterator]: () => ({ next: () => chunks.next(), return: () => leave(chunks) }) };
}

/**
 * Ends reading immediately, even while waiting for the next chunk, and keeps the connection open for the response: an
 * error, which a failing stream would throw into the iterator itself, would close it.
 */
async function leave(chunks: AsyncIterator<Uint8Array>): Promise<IteratorReturnResult<undefined>> {
  chunks.return?.().catch(() => undefined);
  return { done: true, value: undefined };
}
