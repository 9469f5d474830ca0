import { handlerFor } from "#lib/doors/web.ts";

export const GET = handlerFor("auth");
export const POST = handlerFor("auth");
