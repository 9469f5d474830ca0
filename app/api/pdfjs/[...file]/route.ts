import { answeredBy } from "#lib/doors/web.ts";

export const GET = answeredBy("viewerFiles");
