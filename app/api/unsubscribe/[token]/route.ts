import { handlerFor } from "#lib/doors/web.ts";

export const GET = handlerFor("unsubscribe");
export const POST = handlerFor("unsubscribe");
