import { exportRoute } from "#lib/api/downloads.ts";

export const { GET } = exportRoute();
