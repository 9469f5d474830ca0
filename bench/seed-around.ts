/** Seeds what surrounds the contracts of a workspace with plain SQL: obligations, documents and signature requests. */
import type pg from "pg";
import { newId } from "#lib/core/ids.ts";
import { anchorTypes, obligationKinds } from "#lib/obligations/lifecycle.ts";
import { say } from "./flags.ts";
import { connect, inBatches, insert, type Seeded } from "./seed.ts";
import { dayMs, iso, one, scatter } from "./seed-rows.ts";

/** For 100,000 contracts: 200,000 obligations and 2,000 requests. */
const amountsFor = ({ contractIds }: Seeded) => ({
  obligations: contractIds.length * 2,
  requests: contractIds.length / 50,
});

/** Adds what is missing; a kept database already has it. */
export async function seedAround(url: string, workspace: Seeded): Promise<void> {
  const client = await connect(url);
  try {
    const { rows } = await client.query("SELECT 1 FROM obligations WHERE organization_id = $1 LIMIT 1", [
      workspace.organizationId,
    ]);
    if (rows.length > 0) return;
    const started = performance.now();
    const { obligations, requests } = amountsFor(workspace);
    await inBatches(requests, 500, "signature requests", (from, to) =>
      insertRequests(client, workspace, from, to),
    );
    await inBatches(obligations, 5_000, "obligations", (from, to) =>
      insert(
        client,
        "obligations",
        range(from, to).map((n) => obligationRow(workspace, n)),
      ),
    );
    await client.query("VACUUM (ANALYZE) obligations, envelopes, signers, document_versions");
    say(`seeded what surrounds the contracts in ${((performance.now() - started) / 1000).toFixed(1)} s`);
  } finally {
    await client.end();
  }
}

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => from + n);
const own = ({ organizationId }: Seeded) => ({ organization_id: organizationId });

/** Two per contract, due from four years ago to four years ahead; most past ones are completed. */
function obligationRow(workspace: Seeded, n: number) {
  const now = Date.now();
  const due = now + (scatter(n * 3, 2920) - 1460) * dayMs;
  const dice = scatter(n * 7, 100);
  const isLate = dice < 2;
  const state = due < now && !isLate ? "COMPLETED" : dice < 5 ? "SUGGESTED" : dice < 9 ? "WAIVED" : "OPEN";
  const anchor = one(anchorTypes, n * 11);
  const day = iso(due).slice(0, 10);
  return {
    ...own(workspace),
    id: newId("obligation"),
    contract_id: workspace.contractIds[n % workspace.contractIds.length],
    kind: one(obligationKinds, n * 13),
    title: `${one(["Send the report", "Pay the fee", "Give notice", "Renew the insurance"], n * 17)} (${n})`,
    state,
    source: one(["MANUAL", "TEMPLATE", "IMPORT"], n * 19),
    anchor_type: anchor,
    offset_value: scatter(n * 23, 90),
    offset_unit: "DAY",
    offset_direction: "BEFORE",
    resolved_date: day,
    completed_count: state === "COMPLETED" ? 1 : 0,
    resolution_basis: `${anchor} = ${day}`,
    created_at: iso(now - 1500 * dayMs),
    updated_at: iso(now - scatter(n, 1000) * dayMs),
  };
}

const endings = ["DECLINED", "VOIDED", "EXPIRED", "DRAFT", "SENT", "SENT"] as const;

/** Each for its own contract, three out of four completed; the contract's row does not change. */
async function insertRequests(client: pg.Client, workspace: Seeded, from: number, to: number): Promise<void> {
  const all = range(from, to).map((n) => requestRows(workspace, n));
  await insert(
    client,
    "document_versions",
    all.flatMap(({ versions }) => versions),
  );
  await insert(
    client,
    "envelopes",
    all.map(({ envelope }) => envelope),
  );
  await insert(
    client,
    "signers",
    all.flatMap(({ signers }) => signers),
  );
}

function requestRows(workspace: Seeded, n: number) {
  const made = Date.now() - Math.round((1 - n / amountsFor(workspace).requests) * 700 * dayMs) - dayMs;
  const status = scatter(n, 4) > 0 ? "COMPLETED" : one(endings, n * 3);
  const contract_id = workspace.contractIds[n * 41]!;
  const times = { created_at: iso(made), updated_at: iso(made + dayMs / 2) };
  const version = (number: number, source: string) => ({
    ...{ ...own(workspace), id: newId("version"), contract_id, version_number: number, source },
    ...{ file_name: `agreement-${n}.pdf`, content_type: "application/pdf", size_bytes: 120_000 },
    ...{ sha256: (n * 2 + number).toString(16).padStart(64, "0"), page_count: 12 },
    ...{ pdf_state: "PENDING", text_state: "FAILED", created_at: iso(made) },
  });
  const versions = [version(1, "UPLOADED"), ...(status === "COMPLETED" ? [version(2, "SIGNED")] : [])];
  const envelope = {
    ...{ ...own(workspace), ...times, id: newId("envelope", new Date(made)), contract_id, status },
    ...{ document_version_id: versions[0]!.id, signed_version_id: versions[1]?.id ?? null },
    ...{ subject: `Please sign agreement ${n}`, created_by_id: one(workspace.userIds, n * 5) },
    ...{ sent_at: status === "DRAFT" ? null : iso(made), seal_attempts: 0, event_count: 0 },
    ...{ completed_at: status === "COMPLETED" ? times.updated_at : null },
  };
  const signers = ["Ann Ames", "Ben Brook"].map((name, order_index) => ({
    ...{ ...own(workspace), id: newId("signer"), envelope_id: envelope.id, name, order_index },
    ...{ email: `${name.toLowerCase().replace(" ", ".")}.${n}@signers.example`, party: "EXTERNAL" },
    ...{ code_required: false, reminder_count: 0 },
    ...(status === "COMPLETED" ? { consent_at: iso(made), signed_at: times.updated_at } : {}),
  }));
  return { versions, envelope, signers };
}
