/** What obligations know of their contract: its title, whether it goes on, and what their dates are counted from. */
import { select } from "#lib/core/change.ts";
import type { Context } from "#lib/core/context.ts";
import { dayOf } from "#lib/core/dates.ts";
import { notFound } from "#lib/core/errors.ts";
import type { Anchors } from "./resolve.ts";

export interface OwningContract {
  id: string;
  title: string;
  status: string;
  /** Timestamps, as the API says them. */
  effectiveDate: string | null;
  executedAt: string | null;
  termMonths: number | null;
  autoRenews: boolean;
  archivedAt: string | null;
}

/** The days and the term that a contract lends to its obligations. */
export function anchorsOf(contract: OwningContract): Anchors {
  const day = (timestamp: string | null) => timestamp && dayOf(new Date(timestamp));
  return {
    effectiveDate: day(contract.effectiveDate) || null,
    executedAt: day(contract.executedAt) || null,
    termMonths: contract.termMonths,
    autoRenews: contract.autoRenews,
  };
}

/** What becomes of a proposal is the workspace's alone, and so is what becomes of an archived contract's obligations. */
export const isInternal = ({ state }: { state: string }, { archivedAt }: OwningContract) =>
  state === "SUGGESTED" || archivedAt !== null;

/** Reads the contract that an obligation belongs to; refuses one that the workspace does not have. */
export async function findOwningContract(ctx: Context, id: string): Promise<OwningContract> {
  const [row] = await select<OwningContract>(
    `SELECT id, title, status, effective_date AS "effectiveDate", executed_at AS "executedAt",
       term_months AS "termMonths", auto_renews AS "autoRenews", archived_at AS "archivedAt"
     FROM contracts WHERE organization_id = $1 AND id = $2`,
    [ctx.organizationId, id],
  );
  if (!row) throw notFound("contract");
  return row;
}
