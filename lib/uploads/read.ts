/**
 * Reads the first fields of a contract from its document: title, type and counterparty. Dates become proposals, which
 * someone has to accept.
 */
import type { ContractFields } from "#lib/contracts/schema.ts";
import { select } from "#lib/core/change.ts";
import type { Context } from "#lib/core/context.ts";
import type { StoredUpload } from "#lib/core/operation.ts";
import { proposalsOfOneOfMany } from "#lib/proposals/document.ts";

/** Larger files are mostly scans without text, so reading them is not worth the wait. */
const maxBytes = 20 * 1024 * 1024;

/** `title` is used if the document does not name its title and other party: many are only called "NDA". */
export async function contractOf(ctx: Context, title: string, file: StoredUpload): Promise<ContractFields> {
  const found = file.sizeBytes > maxBytes ? null : await proposalsOfOneOfMany(ctx, file);
  const party = await otherParty(ctx, found?.parties.map(({ value }) => value) ?? []);
  return {
    title: found?.title && party ? `${found.title.value} with ${party.name}`.slice(0, 200) : title,
    type: found?.type?.value ?? "OTHER",
    ourRole: "COUNTERPARTY",
    ownerId: ctx.actor.id,
    counterpartyId: party?.id ?? null,
  };
}

const plain = (name: string) => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");

/** Returns the party that is not this workspace, and the counterparty of that name if it exists. Creates none. */
async function otherParty(
  ctx: Context,
  names: string[],
): Promise<{ name: string; id: string | null } | null> {
  if (names.length === 0) return null;
  const [workspace] = await select<{ name: string }>(`SELECT name FROM organizations WHERE id = $1`, [
    ctx.organizationId,
  ]);
  const ours = plain(workspace?.name ?? "");
  // "Northwind" is also "Northwind, Inc."
  const name = names.find((one) => ours === "" || !plain(one).startsWith(ours));
  if (name === undefined) return null;
  const [known] = await select<{ id: string }>(
    `SELECT id FROM counterparties WHERE organization_id = $1 AND lower(name) = lower($2)
     ORDER BY name = $2 DESC, id LIMIT 1`,
    [ctx.organizationId, name],
  );
  return { name, id: known?.id ?? null };
}
