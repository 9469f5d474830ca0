import { calendarRoute } from "#lib/doors/downloads.ts";

export const { GET } = calendarRoute();
