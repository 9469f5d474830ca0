import { handlerFor } from "#lib/doors/web.ts";

export const GET = handlerFor("exports");
