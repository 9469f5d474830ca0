import { unsubscribeRoute } from "#lib/doors/downloads.ts";

export const { GET, POST } = unsubscribeRoute();
