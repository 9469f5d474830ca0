/**
 * Order and deadline as lifecycle.ts defines them, in SQL, for finding the requests that concern someone. `e` is the
 * request, `s` a signer of it. e2e/api/turns.spec.ts checks that both agree.
 */
import { outStatuses } from "./lifecycle.ts";

/** As isOutForSignature. */
export const outForSignatureSql = `e.status IN (${outStatuses.map((status) => `'${status}'`)})`;

/** As isPastDeadline, at the time given as a parameter. */
export const pastDeadlineSql = (now: string): string =>
  `(e.deadline IS NOT NULL AND e.deadline <= ${now}::timestamptz)`;

const waitingOf = (signer: string) =>
  `${signer}.signed_at IS NULL AND ${signer}.declined_at IS NULL AND ${signer}.delegated_at IS NULL`;

/** As isWaiting. */
export const waitingSql = waitingOf("s");

/** As signersOnTurn. */
export const onTurnSql = `(${waitingSql} AND NOT EXISTS (
  SELECT 1 FROM signers b WHERE b.organization_id = s.organization_id AND b.envelope_id = s.envelope_id
    AND b.order_index < s.order_index AND ${waitingOf("b")}))`;

/** As whyCannotAct returning null. */
export const mayActSql = (now: string): string =>
  `(${outForSignatureSql} AND NOT ${pastDeadlineSql(now)} AND ${onTurnSql})`;

/** How long a request may go without progress before someone should look at it. */
const idle = "interval '7 days'";
const sealing = "interval '15 minutes'";

/** Requests that need someone's attention: expired, signed but not sealed, or unchanged for a week. */
export const stuckSql = (now: string): string => `(e.status = 'EXPIRED'
  OR e.status = 'SEALING' AND e.updated_at < ${now}::timestamptz - ${sealing}
  OR ${outForSignatureSql} AND (${pastDeadlineSql(now)} OR e.updated_at < ${now}::timestamptz - ${idle}))`;

/** Since when. Attempts at sealing update the time of the last change, so for those the time of sending counts. */
export const stuckSinceSql = (now: string): string =>
  `(CASE WHEN e.status = 'SEALING' THEN COALESCE(e.sent_at, e.created_at)
    WHEN e.status = 'EXPIRED' OR ${pastDeadlineSql(now)} THEN COALESCE(e.deadline, e.updated_at) ELSE e.updated_at END)`;
