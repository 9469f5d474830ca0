/** The handlers of Next's route files: each passes its requests to a door of the product. */
import type { NextRequest } from "next/server";
import { product } from "./product.ts";
import type { PathValues, WebDoors } from "./web-doors.ts";

type Handler = (request: NextRequest, given: { params: Promise<PathValues> }) => Promise<Response>;

/** A handler for one method. */
export function handlerFor(door: keyof WebDoors): Handler {
  return async (request, { params }) => product().webDoors[door](request, await params);
}

/** The handlers of a route file, for every method, so that the door also answers unsupported ones. */
export function methodHandlers(door: keyof WebDoors) {
  const handler = handlerFor(door);
  const some = { GET: handler, HEAD: handler, POST: handler, PUT: handler };
  return { ...some, PATCH: handler, DELETE: handler, OPTIONS: handler };
}

/**
 * The handlers of a route file of the API. `path` is the path in the route table that corresponds to the file's
 * folder.
 */
export function route(path: `/${string}`) {
  return { ...methodHandlers("key"), path };
}
