import { answeredBy } from "#lib/doors/web.ts";

export const GET = answeredBy("unsubscribe");
export const POST = answeredBy("unsubscribe");
