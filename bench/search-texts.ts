/** Stores texts in the clause index as the job does, each as the only clause of a document of its own. */
import pg from "pg";
import type { Context } from "#lib/core/context.ts";
import { newId } from "#lib/core/ids.ts";
import { storeClauses } from "#lib/overview/search/clause-store.ts";
import type { Texts } from "./search-data.ts";
import { inBatches, insert } from "./seed.ts";

/** Returns the version of each text. */
export async function storeTexts(url: string, ctx: Context, texts: Texts[]): Promise<Map<string, string>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query("SET synchronous_commit = off");
  const { rows } = await client.query("SELECT user_id FROM members WHERE organization_id = $1", [
    ctx.organizationId,
  ]);
  const versions = new Map<string, string>();
  await inBatches(texts.length, 500, "clauses", async (from, to) => {
    const documents = texts.slice(from, to).map((one) => documentOf(ctx, one, rows[0].user_id));
    await insert(
      client,
      "contracts",
      documents.map(({ contract }) => contract),
    );
    await insert(
      client,
      "document_versions",
      documents.map(({ version }) => version),
    );
    for (const { id, text, version } of documents) {
      const passage = { label: "", heading: "", text, pageIndex: 0, pageStarts: [] };
      const stored = { id: version.id, contractId: version.contract_id };
      await storeClauses(ctx, stored, { language: "english", passages: [passage] });
      versions.set(id, version.id);
    }
  });
  await client.query("VACUUM (ANALYZE) clauses, clause_indexes");
  await client.end();
  return versions;
}

export function documentOf(ctx: Context, { id, text }: Texts, ownerId: string) {
  const now = new Date().toISOString();
  const own = { organization_id: ctx.organizationId, created_at: now };
  const contract = {
    ...{ ...own, id: newId("contract"), title: `Bench ${id}`, type: "OTHER", our_role: "COUNTERPARTY" },
    ...{ status: "EXECUTED", owner_id: ownerId, auto_renews: false, revision: 1 },
    ...{ last_activity_at: now, status_changed_at: now, updated_at: now },
  };
  const version = {
    ...{ ...own, id: newId("version"), contract_id: contract.id, version_number: 1, source: "IMPORTED" },
    ...{ file_name: "clause.pdf", content_type: "application/pdf", size_bytes: 1, sha256: contract.id },
    ...{ pdf_state: "PENDING", text_state: "READY" },
  };
  return { id, text, contract, version };
}
