/** The door for signed links: /api/files. A link needs no key. */
import { clock } from "#lib/core/clock.ts";
import type { ApiRequest, ApiResponse, ResponseHeaders } from "#lib/http/exchange.ts";
import { fileResponse } from "#lib/http/file-response.ts";
import { wrongMethod } from "#lib/http/router.ts";
import { filesPath, verifySignedPath } from "#lib/storage/signed.ts";

export { filesPath };

export async function respondWithFile(request: ApiRequest, headers: ResponseHeaders): Promise<ApiResponse> {
  Object.assign(headers, {
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "content-security-policy": "sandbox",
    "x-content-type-options": "nosniff",
  });
  if (request.method !== "GET" && request.method !== "HEAD") throw wrongMethod(request.method, ["GET"]);
  return fileResponse(request, headers, verifySignedPath(request.url, clock()));
}
