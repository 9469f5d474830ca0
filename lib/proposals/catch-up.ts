/**
 * The job `versions.catchUp`: enqueues newest versions that have not been read for dates, or that an earlier edition of
 * the rules or another model has read.
 */
import { enqueueProposing } from "#lib/contracts/prepare.ts";
import { changeUnaudited, select } from "#lib/core/change.ts";
import { systemContext } from "#lib/core/context.ts";
import { proposingModel } from "./model.ts";
import { edition } from "./read-version.ts";

/** The limit of one run: its jobs take a minute. */
const maxVersions = 1_000;

export async function catchUpProposals(): Promise<void> {
  const unread = await select<{ organizationId: string; id: string }>(
    `SELECT v.organization_id AS "organizationId", v.id FROM document_versions v
     JOIN contracts c ON c.organization_id = v.organization_id AND c.id = v.contract_id
       AND c.status NOT IN ('TERMINATED', 'CANCELLED', 'EXPIRED')
     LEFT JOIN version_readings r ON r.organization_id = v.organization_id AND r.version_id = v.id
     WHERE v.text_state = 'READY' AND v.source <> 'SIGNED'
       AND (r.edition IS NULL OR r.edition < $1 OR ($2::text IS NOT NULL AND r.model IS DISTINCT FROM $2))
       AND NOT EXISTS (
         SELECT 1 FROM document_versions later WHERE later.organization_id = v.organization_id
           AND later.contract_id = v.contract_id AND later.version_number > v.version_number
           AND later.source <> 'SIGNED' AND later.text_state <> 'FAILED')
     ORDER BY v.id LIMIT ${maxVersions}`,
    [edition, proposingModel()],
  );
  for (const version of unread) {
    const ctx = systemContext(version.organizationId, "versions.catchUp");
    await changeUnaudited(ctx, (tx) => enqueueProposing(tx, version));
  }
}
