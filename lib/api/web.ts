/** Brings web-standard requests to the API: what the route files under app/api/v1 are made of. */
import { Readable } from "node:stream";
import { answer } from "./http.ts";
import { callerAddress } from "./proxy.ts";

async function handle(request: Request): Promise<Response> {
  const url = new URL(request.url);
  const result = await answer({
    method: request.method,
    url: url.pathname + url.search,
    ip: callerAddress(undefined, request.headers.get("x-forwarded-for") ?? undefined),
    header: (name) => request.headers.get(name) ?? undefined,
    chunks: () => bodyOf(request),
  });
  const body = result.body instanceof Readable ? Readable.toWeb(result.body) : result.body;
  return new Response(body as BodyInit | null, { status: result.status, headers: result.headers });
}

/**
 * The handlers of a route file. `path` is the route table's path that the file's folder stands for; every
 * method comes here, so that a wrong one is answered as the API answers it.
 */
export function route(path: `/${string}`) {
  const handlers = { GET: handle, HEAD: handle, POST: handle, PUT: handle, PATCH: handle, DELETE: handle };
  return { ...handlers, OPTIONS: handle, path };
}

async function* bodyOf({ body }: Request): AsyncIterable<Uint8Array> {
  if (body) yield* body as unknown as AsyncIterable<Uint8Array>;
}
