/**
 * What obligations read of their contract: its title, whether it is still running, and the dates they are calculated
 * from.
 */
import { select } from "#lib/core/change.ts";
import type { Context } from "#lib/core/context.ts";
import { dayOf } from "#lib/core/dates.ts";
import { notFound } from "#lib/core/errors.ts";
import type { Anchors } from "./resolve.ts";

export interface OwningContract {
  id: string;
  title: string;
  status: string;
  /** Timestamps in the API's format. */
  effectiveDate: string | null;
  executedAt: string | null;
  termMonths: number | null;
  autoRenews: boolean;
  archivedAt: string | null;
}

/** The dates and the term from which a contract's obligations are calculated. */
export function anchorsOf(contract: OwningContract): Anchors {
  const day = (timestamp: string | null) => timestamp && dayOf(new Date(timestamp));
  return {
    effectiveDate: day(contract.effectiveDate) || null,
    executedAt: day(contract.executedAt) || null,
    termMonths: contract.termMonths,
    autoRenews: contract.autoRenews,
  };
}

/** Changes to proposals, and to the obligations of an archived contract, are not announced outside the workspace. */
export const isInternal = ({ state }: { state: string }, { archivedAt }: OwningContract) =>
  state === "SUGGESTED" || archivedAt !== null;

/** Reads the contract of an obligation; throws if the workspace has no such contract. */
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
