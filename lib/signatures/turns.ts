/**
 * Order and deadline as lifecycle.ts decides them, in SQL: for finding among all requests those that concern someone.
 * `e` is the request, `s` a signer of it. e2e/api/turns.spec.ts holds both to be the same.
 */
import { outStatuses } from "./lifecycle.ts";

/** isOut. */
export const out = `e.status IN (${outStatuses.map((status) => `'${status}'`)})`;

/** isLate, at the moment that a parameter holds. */
export const late = (now: string): string => `(e.deadline IS NOT NULL AND e.deadline <= ${now}::timestamptz)`;

const waitingOf = (signer: string) =>
  `${signer}.signed_at IS NULL AND ${signer}.declined_at IS NULL AND ${signer}.delegated_at IS NULL`;

/** isWaiting. */
export const waiting = waitingOf("s");

/** onTurn. */
export const onTurn = `(${waiting} AND NOT EXISTS (
  SELECT 1 FROM signers b WHERE b.organization_id = s.organization_id AND b.envelope_id = s.envelope_id
    AND b.order_index < s.order_index AND ${waitingOf("b")}))`;

/** whyCannotAct finds none. */
export const mayAct = (now: string): string => `(${out} AND NOT ${late(now)} AND ${onTurn})`;

/** How long a request may stay as it is before someone should look at it. */
const idle = "interval '7 days'";
const sealing = "interval '15 minutes'";

/** Nothing goes on by itself: it expired, is signed but not sealed, or a week went by. */
export const stuck = (now: string): string => `(e.status = 'EXPIRED'
  OR e.status = 'SEALING' AND e.updated_at < ${now}::timestamptz - ${sealing}
  OR ${out} AND (${late(now)} OR e.updated_at < ${now}::timestamptz - ${idle}))`;

/** Since when. Attempts at sealing move the moment of the last change, so there it is the sending that counts. */
export const stuckSince = (now: string): string =>
  `(CASE WHEN e.status = 'SEALING' THEN COALESCE(e.sent_at, e.created_at)
    WHEN e.status = 'EXPIRED' OR ${late(now)} THEN COALESCE(e.deadline, e.updated_at) ELSE e.updated_at END)`;
