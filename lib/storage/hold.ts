/** Keeps a stored file while a row that references it is written, so that no sweep removes it in between. */
import type { Transaction } from "#lib/core/db.ts";
import { Refusal } from "#lib/core/errors.ts";
import { backend } from "./store.ts";

const allOf = (organizationId: string) => `files ${organizationId}`;
const sweepOf = (organizationId: string) => `sweep ${organizationId}`;

/**
 * Held until the transaction ends: of two transactions that reference the same file, the second waits. The sweep
 * takes it too.
 */
export async function lockFile(tx: Transaction, organizationId: string, sha256: string): Promise<void> {
  const name = `file ${organizationId} ${sha256}`;
  await tx.$queryRaw`SELECT pg_advisory_xact_lock_shared(hashtextextended(${allOf(organizationId)}, 0))::text,
    pg_advisory_xact_lock(hashtextextended(${name}, 0))::text`;
}

/** Locks all files of the workspace at once: for more files than the database's lock table can hold. */
export async function lockFiles(tx: Transaction, organizationId: string): Promise<void> {
  await tx.$queryRaw`SELECT pg_advisory_xact_lock(hashtextextended(${allOf(organizationId)}, 0))::text`;
}

/** Call it in the transaction that writes a row referencing the file, before writing that row. */
export async function lockExistingFile(
  tx: Transaction,
  organizationId: string,
  sha256: string,
): Promise<void> {
  await lockFile(tx, organizationId, sha256);
  if (!(await (await backend()).find({ organizationId, sha256 }))) throw removed();
}

const filesAtOnce = 16;

/** The same for many files in a long transaction: blocks only the sweep of the workspace's files. */
export async function protectFiles(
  tx: Transaction,
  organizationId: string,
  sha256s: string[],
): Promise<void> {
  if (sha256s.length === 0) return;
  await tx.$queryRaw`SELECT pg_advisory_xact_lock_shared(hashtextextended(${sweepOf(organizationId)}, 0))::text`;
  const { find } = await backend();
  for (let at = 0; at < sha256s.length; at += filesAtOnce) {
    const some = sha256s.slice(at, at + filesAtOnce);
    const found = await Promise.all(some.map((sha256) => find({ organizationId, sha256 })));
    if (found.includes(null)) throw removed();
    // Checking thousands of files takes a while: query in between, so that the database does not time out the idle
    // transaction.
    await tx.$queryRaw`SELECT 1`;
  }
}

/** For the sweep: false while a long transaction keeps the workspace's files, or a backup copies all files. */
export async function tryLockSweep(tx: Transaction, organizationId: string): Promise<boolean> {
  const [row] = await tx.$queryRaw<{ taken: boolean }[]>`
    SELECT pg_try_advisory_xact_lock(hashtextextended(${sweepOf(organizationId)}, 0))
      AND pg_try_advisory_xact_lock_shared(hashtextextended('backup', 0)) AS taken`;
  return row?.taken === true;
}

const removed = () => new Refusal("conflict", "The file was removed while it was being used. Send it again.");
