import { route } from "#lib/doors/web.ts";

/** The API also handles unknown paths: it returns 404 as JSON. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route("/{unknown}");
