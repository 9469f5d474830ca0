/** Converts an obligation's row to the API's representation. */

import { dayOf } from "#lib/core/dates.ts";
import type { Prisma } from "#prisma/generated/client.ts";
import { type ObligationStatus, openStatus } from "./lifecycle.ts";

export type ObligationRow = Prisma.ObligationGetPayload<object>;

/** What people decided about an obligation; while it is OPEN, its status follows from its date. */
export type ObligationState = "OPEN" | "SUGGESTED" | "COMPLETED" | "WAIVED" | "CANCELLED";

export function statusOf(row: Pick<ObligationRow, "state" | "resolvedDate">, now: Date): ObligationStatus {
  if (row.state !== "OPEN") return row.state as ObligationStatus;
  return openStatus(row.resolvedDate && dayOf(row.resolvedDate), dayOf(now));
}

/** The obligation as the API returns it on the day of `now`. */
export function obligationFrom<Row extends ObligationRow & { assignee: object }>(row: Row, now: Date) {
  return { ...row, status: statusOf(row, now) };
}
