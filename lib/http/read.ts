/** Responds to GET and HEAD: with a representation, a file, or 304. */
import type { Context } from "#lib/core/context.ts";
import { parseInput, perform, runOperation } from "#lib/core/execute.ts";
import type { Download } from "#lib/core/operation.ts";
import { etagMatches } from "#lib/core/serialize.ts";
import type { Call } from "./door.ts";
import type { ApiRequest, ApiResponse, ResponseHeaders } from "./exchange.ts";
import { fileResponse } from "./file-response.ts";
import { queryInput } from "./input.ts";
import { cached, type Representation } from "./response-cache.ts";

export async function read(call: Call, ctx: Context): Promise<ApiResponse> {
  const { request, operation, parameters, search, headers } = call;
  if (operation.download) return download(call, ctx);
  const representation = await cached(ctx, operation, request.url, async () => {
    const { input, issues } = queryInput(operation.input, search);
    const asked = parseInput(operation.input, { ...input, ...parameters }, issues);
    return (await perform(operation, ctx, asked)).body ?? "";
  });
  return respondFresh(request, headers, representation);
}

async function download({ request, operation, parameters, headers }: Call, ctx: Context) {
  const input = parseInput(operation.input, parameters);
  const file = (await runOperation(operation, ctx, input)) as Download;
  return fileResponse(request, headers, { ...file, organizationId: ctx.organizationId });
}

/** A representation, or 304 when the caller has it already. */
export function respondFresh(
  request: ApiRequest,
  headers: ResponseHeaders,
  { body, sizeBytes, etag }: Representation,
): ApiResponse {
  headers.etag = etag;
  const known = request.header("if-none-match");
  if (known && etagMatches(known.replaceAll("W/", ""), etag)) return { status: 304, headers, body: null };
  headers["content-type"] = "application/json; charset=utf-8";
  headers["content-length"] = String(sizeBytes);
  return { status: 200, headers, body };
}
