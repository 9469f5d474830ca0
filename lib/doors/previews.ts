/**
 * First pages as images, for our own pages: GET /api/previews/<version>, with the member's session. A browser caches an
 * image, and revalidates it each time.
 */
import { z } from "zod";
import { authorize, parseInput } from "#lib/core/execute.ts";
import { pathId } from "#lib/core/wire.ts";
import type { ApiRequest, ApiResponse } from "#lib/http/exchange.ts";
import { fileResponse } from "#lib/http/file-response.ts";
import { limitRate } from "#lib/http/rate-limit.ts";
import { respond } from "#lib/http/respond.ts";
import { wrongMethod } from "#lib/http/router.ts";
import { refuseForeignGet } from "#lib/http/same-origin.ts";
import { previewFile } from "#lib/previews/previews.ts";
import { admitMember } from "./admit.ts";

export const previewsPath = "/api/previews";

const Path = z.object({ versionId: pathId("version") });

/** Responds to one request. Never throws. */
export function handlePreviewRequest(request: ApiRequest): Promise<ApiResponse> {
  return respond(request, async (caller, headers) => {
    if (request.method !== "GET" && request.method !== "HEAD") throw wrongMethod(request.method, ["GET"]);
    refuseForeignGet(request.header);
    const { ctx } = await admitMember(caller);
    await limitRate(ctx.actor.id, ctx.now, headers);
    authorize({ scopes: ["contracts:read"] }, ctx);
    const [id] = request.url.slice(previewsPath.length + 1).split("?", 1);
    const { versionId } = parseInput(Path, { versionId: id });
    const file = await previewFile(ctx, versionId);
    Object.assign(headers, {
      "cache-control": "private, no-cache",
      "cross-origin-resource-policy": "same-origin",
    });
    return fileResponse(request, headers, file);
  });
}
