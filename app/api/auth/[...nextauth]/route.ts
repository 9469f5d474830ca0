import { authRoute } from "#lib/api/auth.ts";

export const { GET, POST } = authRoute();
