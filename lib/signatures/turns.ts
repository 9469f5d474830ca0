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
