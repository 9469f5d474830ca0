import { authRoute } from "#lib/doors/auth.ts";

export const { GET, POST } = authRoute();
