import { route } from "#lib/doors/web.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route("/openapi.json");
