/** Brings web-standard requests to the API: what the route files under app/api/v1 and member are made of. */
import { answer } from "./http.ts";
import { answerMember } from "./member.ts";
import { tooLarge } from "./node.ts";
import { addressHeader } from "./proxy.ts";

async function handle(request: Request, answerer = answer): Promise<Response> {
  const url = new URL(request.url);
  const result = await answerer({
    method: request.method,
    url: url.pathname + url.search,
    ip: request.headers.get(addressHeader),
    header: (name) => request.headers.get(name) ?? undefined,
    body: (limit) => readBody(request, limit),
  });
  return new Response(result.body as BodyInit | null, { status: result.status, headers: result.headers });
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
  return everyMethod((request) => handle(request, answerMember));
}

function everyMethod(handler: (request: Request) => Promise<Response>) {
  const some = { GET: handler, HEAD: handler, POST: handler, PUT: handler };
  return { ...some, PATCH: handler, DELETE: handler, OPTIONS: handler };
}

async function readBody(request: Request, limit: number): Promise<Uint8Array> {
  if (Number(request.headers.get("content-length") ?? 0) > limit) throw tooLarge(limit);
  const chunks: Uint8Array[] = [];
  let length = 0;
  const stream = request.body as AsyncIterable<Uint8Array> | null;
  for await (const chunk of stream ?? []) {
    length += chunk.length;
    if (length > limit) throw tooLarge(limit);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
