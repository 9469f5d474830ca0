import { methodHandlers } from "#lib/doors/web.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methodHandlers("previews");
