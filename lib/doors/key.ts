/**
 * The public API over HTTP, for programs with a key. It knows neither Node's nor the web's request objects;
 * lib/doors/node.ts and lib/doors/web.ts convert them.
 */
import type { Context } from "#lib/core/context.ts";
import { authorize } from "#lib/core/execute.ts";
import type { Door } from "#lib/http/door.ts";
import type { ApiRequest, ApiResponse, Caller, ResponseHeaders } from "#lib/http/exchange.ts";
import { workspaceFiles } from "#lib/http/files.ts";
import { once } from "#lib/http/idempotency.ts";
import { handle } from "#lib/http/pipeline.ts";
import { read, respondFresh } from "#lib/http/read.ts";
import { respond, subscriptionInactive } from "#lib/http/respond.ts";
import { representationOf } from "#lib/http/response-cache.ts";
import { router, wrongMethod } from "#lib/http/router.ts";
import { openapi } from "#lib/openapi/document.ts";
import { routes } from "#lib/routes.ts";
import { admitKey } from "./admit.ts";
import { filesPath, respondWithFile } from "./files.ts";

export const basePath = "/api/v1";

const match = router(routes);

const keyDoor: Door<Context> = {
  admit: admitKey,
  limit: (ctx) => ctx.actor.id,
  authorize(operation, { ctx, subscriptionStatus }) {
    if (subscriptionStatus !== "active" && !operation.worksUnpaid) throw subscriptionInactive();
    authorize(operation, ctx);
  },
  read,
  files: workspaceFiles,
  once,
  basePath,
};

/** Responds to one request. Never throws. */
export function handleKeyRequest(request: ApiRequest): Promise<ApiResponse> {
  return respond(request, (caller, headers) => dispatch(request, caller, headers));
}

async function dispatch(request: ApiRequest, caller: Caller, headers: ResponseHeaders): Promise<ApiResponse> {
  if (request.url.startsWith(`${filesPath}/`)) return respondWithFile(request, headers);
  const [path, search] = splitUrl(request.url.slice(basePath.length));
  if (path === "/openapi.json") {
    if (request.method !== "GET" && request.method !== "HEAD") throw wrongMethod(request.method, ["GET"]);
    return respondFresh(request, headers, representationOf(openapi()));
  }
  const { route, operation, parameters } = match(request.method, path);
  return handle(keyDoor, { request, caller, name: route, operation, path, search, parameters, headers });
}

/** Path and query; further question marks belong to the query. */
function splitUrl(url: string): [path: string, search: string] {
  const mark = url.indexOf("?");
  return mark < 0 ? [url, ""] : [url.slice(0, mark), url.slice(mark + 1)];
}
