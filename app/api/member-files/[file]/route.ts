import { exportRoute } from "#lib/doors/downloads.ts";

export const { GET } = exportRoute();
