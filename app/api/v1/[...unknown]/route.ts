import { route } from "#lib/doors/web.ts";

/** Whatever else is asked for is answered by the API as well: 404 as JSON. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route("/{unknown}");
