/**
 * Operations that our own pages call by name: POST /api/…/NAME with JSON. Requests from other sites' pages are
 * rejected.
 */
import { Refusal } from "#lib/core/errors.ts";
import type { AnyDoor } from "#lib/http/door.ts";
import type { ApiRequest, ApiResponse } from "#lib/http/exchange.ts";
import { handle } from "#lib/http/pipeline.ts";
import { respond } from "#lib/http/respond.ts";
import { wrongMethod } from "#lib/http/router.ts";
import { refuseForeign } from "#lib/http/same-origin.ts";
import type { Named } from "#lib/operations.ts";

/** Responds at `basePath` to requests for the operations that `find` knows, each at its own door. Never throws. */
export function byName<Name extends string>(
  basePath: string,
  find: (name: string) => Named<Name> | undefined,
  doors: Record<Name, AnyDoor>,
): (request: ApiRequest) => Promise<ApiResponse> {
  return (request) =>
    respond(request, async (caller, headers) => {
      const [path = ""] = request.url.split("?", 1);
      const name = path.slice(basePath.length + 1);
      const found = find(name);
      if (!found) throw new Refusal("not_found", `There is no operation ${name.slice(0, 100)}.`);
      if (request.method !== "POST") throw wrongMethod(request.method, ["POST"]);
      refuseForeign(request.header);
      const { door, operation } = found;
      return handle(doors[door], {
        request,
        caller,
        name,
        operation,
        path,
        headers,
        search: "",
        parameters: {},
      });
    });
}
