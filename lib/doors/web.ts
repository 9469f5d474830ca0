/** Brings web-standard requests to the API: what the route files under app/api/v1, member, sign, previews and app/mcp are made of. */
import { Readable } from "node:stream";
import { addressHeader } from "#lib/http/proxy.ts";
import { handleAssistantRequest } from "./assistant.ts";
import { handleKeyRequest } from "./key.ts";
import { handleMemberRequest } from "./member.ts";
import { handlePreviewRequest } from "./previews.ts";
import { handleSignerRequest } from "./signer.ts";

async function handle(request: Request, handler = handleKeyRequest): Promise<Response> {
  const url = new URL(request.url);
  const result = await handler({
    method: request.method,
    url: url.pathname + url.search,
    ip: request.headers.get(addressHeader),
    header: (name) => request.headers.get(name) ?? undefined,
    chunks: () => bodyOf(request),
    gone: () => request.signal,
  });
  const body = result.body instanceof Readable ? Readable.toWeb(result.body) : result.body;
  return new Response(body as BodyInit | null, { status: result.status, headers: result.headers });
}

/**
 * The handlers of a route file. `path` is the route table's path that the file's folder stands for; every
 * method comes here, so that a wrong one is answered as the API answers it.
 */
export function route(path: `/${string}`) {
  return { ...everyMethod((request) => handle(request)), path };
}

/** The handlers of the members' door. */
export function memberRoute() {
  return everyMethod((request) => handle(request, handleMemberRequest));
}

/** The handlers of first pages as images. */
export function previewRoute() {
  return everyMethod((request) => handle(request, handlePreviewRequest));
}

/** The handlers of the assistants' door. */
export function assistantRoute() {
  return everyMethod((request) => handle(request, handleAssistantRequest));
}

/** The handlers of the signers' door. */
export function signerRoute() {
  return everyMethod((request) => handle(request, handleSignerRequest));
}

function everyMethod(handler: (request: Request) => Promise<Response>) {
  const some = { GET: handler, HEAD: handler, POST: handler, PUT: handler };
  return { ...some, PATCH: handler, DELETE: handler, OPTIONS: handler };
}

async function* bodyOf({ body }: Request): AsyncIterable<Uint8Array> {
  if (body) yield* body;
}
