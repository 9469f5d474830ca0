/** Gathers what a template is filled from: the workspace, the owner, the counterparty, the requested terms. */

import { select } from "#lib/core/change.ts";
import type { Context } from "#lib/core/context.ts";
import { dayOf, expiresOn } from "#lib/core/dates.ts";
import type { Issue } from "#lib/core/errors.ts";
import { printedValues } from "#lib/custom-fields/values.ts";
import type { Sources } from "./bindings.ts";
import type { Filling, TemplateSettings } from "./schema.ts";

export interface Gathered {
  sources: Sources;
  /** The counterparty; null if none is named, or if one has to be created with the given name. */
  counterpartyId: string | null;
  issues: Issue[];
}

interface Found {
  organizationName: string;
  currency: string;
  ownerName: string | null;
  ownerEmail: string | null;
}

/** Finds all sources. What cannot be found is reported as an issue and left empty. */
export async function gather(ctx: Context, settings: TemplateSettings, filling: Filling): Promise<Gathered> {
  const { found, party, ofFields, issues } = await lookUp(ctx, filling);
  const named = filling.counterpartyName ? { name: filling.counterpartyName, domain: null } : null;
  const currency = found?.currency ?? "USD";
  const sources: Sources = {
    contract: { ...termsOf(settings, filling, currency), customFields: ofFields.values },
    counterparty: party ?? named,
    contact: party && (await primaryContact(ctx, party.id)),
    organization: { name: found?.organizationName ?? "", currency },
    owner: { name: found?.ownerName ?? "", email: found?.ownerEmail ?? "" },
    today: dayOf(ctx.now),
  };
  return { sources, counterpartyId: party?.id ?? null, issues };
}

/** References in a request that do not exist or do not fit, whatever the template. */
export const unknownIn = async (ctx: Context, filling: Filling) => (await lookUp(ctx, filling)).issues;

async function lookUp(ctx: Context, filling: Filling) {
  const issues: Issue[] = [];
  const [found] = await select<Found>(
    `SELECT o.name AS "organizationName", o.currency, u.name AS "ownerName", u.email AS "ownerEmail"
     FROM organizations o
     LEFT JOIN members m ON m.organization_id = o.id AND m.user_id = $2 AND m.removed_at IS NULL
     LEFT JOIN users u ON u.id = m.user_id
     WHERE o.id = $1`,
    [ctx.organizationId, filling.ownerId ?? null],
  );
  if (filling.ownerId !== undefined && !found?.ownerName) {
    issues.push({ path: "ownerId", message: "is not the userId of an active member of this workspace" });
  }
  const party = await findParty(ctx, filling);
  if (filling.counterpartyId !== undefined && !party) {
    issues.push({ path: "counterpartyId", message: "is not a counterparty of this workspace" });
  }
  const ofFields = await printedValues(ctx, filling.customFields ?? {});
  issues.push(...ofFields.issues);
  return { found, party, ofFields, issues };
}

interface Party {
  id: string;
  name: string;
  domain: string | null;
}

/** The counterparty by id or name: an exact match of the name wins over one that ignores case. */
async function findParty(ctx: Context, { counterpartyId, counterpartyName }: Filling): Promise<Party | null> {
  if (counterpartyId === undefined && counterpartyName === undefined) return null;
  const condition = counterpartyId === undefined ? "lower(name) = lower($2)" : "id = $2";
  const [party] = await select<Party>(
    `SELECT id, name, domain FROM counterparties WHERE organization_id = $1 AND ${condition}
     ORDER BY name = $2 DESC, id LIMIT 1`,
    [ctx.organizationId, counterpartyId ?? counterpartyName],
  );
  return party ?? null;
}

/** Whether a counterparty of this name exists by now. Called inside the transaction that would create one. */
export async function findByName(ctx: Context, name: string): Promise<string | null> {
  return (await findParty(ctx, { counterpartyName: name } as Filling))?.id ?? null;
}

async function primaryContact(ctx: Context, counterpartyId: string) {
  const [contact] = await select<{ name: string; email: string }>(
    `SELECT name, email FROM contacts WHERE organization_id = $1 AND counterparty_id = $2
     ORDER BY is_primary DESC, id LIMIT 1`,
    [ctx.organizationId, counterpartyId],
  );
  return contact ?? null;
}

function termsOf(
  settings: TemplateSettings,
  filling: Filling,
  currency: string,
): Omit<Sources["contract"], "customFields"> {
  const effectiveDate = filling.effectiveDate ? dayOf(filling.effectiveDate) : null;
  const termMonths = filling.termMonths ?? null;
  const valueCents = filling.valueCents?.toString() ?? null;
  return {
    title: null,
    type: settings.contractType,
    ourRole: filling.ourRole ?? settings.ourRole,
    effectiveDate,
    expiresAt: expiresOn({ effectiveDate, termMonths }),
    termMonths,
    autoRenews: filling.autoRenews ?? false,
    renewalMonths: filling.renewalMonths ?? null,
    valueCents,
    valueCurrency: filling.valueCurrency ?? (valueCents === null ? null : currency),
  };
}
