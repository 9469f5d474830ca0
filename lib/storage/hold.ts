/** Keeps a stored file while a row that names it is written, so that no sweep removes it in between. */
import type { Transaction } from "#lib/core/db.ts";
import { Refusal } from "#lib/core/errors.ts";
import { backend } from "./store.ts";

/** Held until the transaction ends: of two that name the same file, the second waits. The sweep takes it too. */
export async function lockFile(tx: Transaction, organizationId: string, sha256: string): Promise<void> {
  const name = `file ${organizationId} ${sha256}`;
  await tx.$queryRaw`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))::text`;
}

/** Call it in the change that writes a row which names the file, before that row. */
export async function hold(tx: Transaction, organizationId: string, sha256: string): Promise<void> {
  await lockFile(tx, organizationId, sha256);
  if (await (await backend()).find({ organizationId, sha256 })) return;
  throw new Refusal("conflict", "The file was removed while it was being used. Send it again.");
}
