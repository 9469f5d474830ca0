/** What an attacker who owns the database can do: change append-only rows while the triggers are disabled. */
import type { Transaction } from "#lib/core/db.ts";
import { database } from "#lib/core/db.ts";

/** In the order in which the product writes to them, to avoid deadlocks. */
const guarded = ["signing_events", "audit_events"];

export async function behindItsBack(work: (tx: Transaction) => Promise<unknown>): Promise<void> {
  const turn = async (tx: Transaction, state: "DISABLE" | "ENABLE") => {
    for (const table of guarded) {
      await tx.$executeRawUnsafe(`ALTER TABLE ${table} ${state} TRIGGER ${table}_append_only`);
    }
  };
  await database().prisma.$transaction(
    async (tx) => {
      await turn(tx, "DISABLE");
      await work(tx);
      await turn(tx, "ENABLE");
    },
    { maxWait: 20_000, timeout: 60_000 },
  );
}

/** Cuts off the end of the audit log, and sets its head to the last remaining event. */
export async function cutLog(organizationId: string, last: number): Promise<void> {
  await behindItsBack(async (tx) => {
    await tx.$executeRaw`DELETE FROM audit_events WHERE organization_id = ${organizationId} AND seq > ${last}`;
    await tx.$executeRaw`UPDATE workspace_heads h SET seq = e.seq, hash = e.hash FROM audit_events e
      WHERE h.organization_id = ${organizationId} AND e.organization_id = ${organizationId} AND e.seq = ${last}`;
  });
}

/** Deletes the whole log, as if the workspace were new. */
export async function emptyLog(tx: Transaction, organizationId: string): Promise<void> {
  await tx.$executeRaw`DELETE FROM audit_events WHERE organization_id = ${organizationId}`;
  await tx.$executeRaw`UPDATE workspace_heads SET seq = 0, hash = sha256(convert_to(${organizationId}, 'UTF8'))
    WHERE organization_id = ${organizationId}`;
}

/** Rewrites the log with another title in one event: all hashes differ from the old ones, and are consistent. */
export async function rewriteLog(organizationId: string, seq: number): Promise<void> {
  await behindItsBack(async (tx) => {
    await tx.$executeRaw`CREATE TEMPORARY TABLE copied ON COMMIT DROP AS
      SELECT * FROM audit_events WHERE organization_id = ${organizationId}`;
    await tx.$executeRaw`UPDATE copied SET contract_title = 'Forged' WHERE seq = ${seq}`;
    await emptyLog(tx, organizationId);
    const rows = await tx.$queryRaw<{ seq: bigint }[]>`SELECT seq FROM copied ORDER BY seq`;
    for (const row of rows) {
      await tx.$executeRaw`INSERT INTO audit_events (organization_id, id, action, created_at, actor_id, actor_name, actor_email,
          api_key_id, api_key_name, contract_id, contract_title, payload)
        SELECT organization_id, id, action, created_at, actor_id, actor_name, actor_email, api_key_id, api_key_name,
          contract_id, contract_title, payload FROM copied WHERE seq = ${row.seq}`;
    }
  });
}

/** Cuts off the end of a request's history, and sets its head to the last remaining event. */
export async function cutHistory(organizationId: string, envelopeId: string, last: number): Promise<void> {
  await behindItsBack(async (tx) => {
    await tx.$executeRaw`DELETE FROM signing_events
      WHERE organization_id = ${organizationId} AND envelope_id = ${envelopeId} AND number > ${last}`;
    await tx.$executeRaw`UPDATE envelopes v SET event_count = e.number, event_hash = e.hash FROM signing_events e
      WHERE v.organization_id = ${organizationId} AND v.id = ${envelopeId}
        AND e.organization_id = v.organization_id AND e.envelope_id = v.id AND e.number = ${last}`;
  });
}

/** Swaps two events of a request. */
export async function swapEvents(organizationId: string, envelopeId: string, one: number, other: number) {
  await behindItsBack(async (tx) => {
    const move = (from: number, to: number) => tx.$executeRaw`UPDATE signing_events SET number = ${to}
      WHERE organization_id = ${organizationId} AND envelope_id = ${envelopeId} AND number = ${from}`;
    await move(one, -1);
    await move(other, one);
    await move(-1, other);
  });
}
