import { answeredBy } from "#lib/doors/web.ts";

export const GET = answeredBy("auth");
export const POST = answeredBy("auth");
