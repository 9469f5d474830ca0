import { calendarRoute } from "#lib/api/downloads.ts";

export const { GET } = calendarRoute();
