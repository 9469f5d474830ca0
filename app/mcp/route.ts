import { everyMethod } from "#lib/doors/web.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = everyMethod("assistant");
