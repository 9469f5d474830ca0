/** What Home asks for, on the server and in the page alike. */
import type { InputOf } from "#lib/api/client.ts";
import { addDays, dayOf } from "#lib/dates.ts";

export const needed: InputOf<"obligations.list"> = { status: ["OVERDUE", "DUE", "SUGGESTED"] };

export const awaited: InputOf<"signatures.list"> = { status: ["SENT", "PARTIALLY_SIGNED"], pageSize: 5 };

/** What ends or renews in the next 90 days, the soonest first. */
export function ending(now: string): InputOf<"contracts.list"> {
  const today = dayOf(new Date(now));
  return {
    status: ["EXECUTED", "ACTIVE"],
    expiresFrom: today,
    expiresTo: addDays(today, 90),
    sort: "expiresAt",
    dir: "asc",
  };
}
