import { verifyRoute } from "#lib/api/web.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = verifyRoute();
