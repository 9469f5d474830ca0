/** Brings requests of Node's http server to the API: the quick way, which the product's own server takes. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { Refusal } from "#lib/errors.ts";
import { answer, basePath } from "./http.ts";
import { answerMember, memberPath } from "./member.ts";
import { callerAddress } from "./proxy.ts";

/** Path and query, also where the request line names the whole address. */
function targetOf({ url = "/" }: IncomingMessage): string {
  if (url.startsWith("/")) return url;
  const { pathname = url, search = "" } = URL.parse(url) ?? {};
  return pathname + search;
}

/** Who answers what begins with which path. */
const answers: Record<string, typeof answer> = { [basePath]: answer, [memberPath]: answerMember };

function answererOf(request: IncomingMessage): typeof answer | undefined {
  const target = targetOf(request);
  const path = Object.keys(answers).find(
    (path) => target.startsWith(path) && ["", "/", "?"].includes(target.charAt(path.length)),
  );
  return path === undefined ? undefined : answers[path];
}

/** Whether a request is the API's, or for the members' door. */
export function isApiRequest(request: IncomingMessage): boolean {
  return answererOf(request) !== undefined;
}

/** Answers such a request. */
export async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const header = (name: string) => {
    const value = request.headers[name];
    return Array.isArray(value) ? value.join(", ") : value;
  };
  const result = await (answererOf(request) ?? answer)({
    method: request.method ?? "GET",
    url: targetOf(request),
    ip: callerAddress(request.socket.remoteAddress, header("x-forwarded-for")),
    header,
    body: (limit) => readBody(request, limit),
  });
  // What is left of a body that nobody reads must not be taken for the next request.
  if (!request.complete && request.method !== "GET") result.headers.connection = "close";
  response.writeHead(result.status, result.headers);
  response.end(result.body ?? undefined);
}

async function readBody(request: IncomingMessage, limit: number): Promise<Uint8Array> {
  if (Number(request.headers["content-length"] ?? 0) > limit) throw tooLarge(limit);
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    length += chunk.length;
    if (length > limit) throw tooLarge(limit);
    chunks.push(chunk);
  }
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
}

export function tooLarge(limit: number): Refusal {
  return new Refusal("file_too_large", `The body is larger than ${limit.toLocaleString("en-US")} bytes.`);
}
