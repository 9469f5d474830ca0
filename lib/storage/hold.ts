/** Keeps a stored file while a row that names it is written, so that no sweep removes it in between. */
import type { Transaction } from "#lib/core/db.ts";
import { Refusal } from "#lib/core/errors.ts";
import { backend } from "./store.ts";

const allOf = (organizationId: string) => `files ${organizationId}`;
const sweepOf = (organizationId: string) => `sweep ${organizationId}`;

/** Held until the transaction ends: of two that name the same file, the second waits. The sweep takes it too. */
export async function lockFile(tx: Transaction, organizationId: string, sha256: string): Promise<void> {
  const name = `file ${organizationId} ${sha256}`;
  await tx.$queryRaw`SELECT pg_advisory_xact_lock_shared(hashtextextended(${allOf(organizationId)}, 0))::text,
    pg_advisory_xact_lock(hashtextextended(${name}, 0))::text`;
}

/** As if each file of the workspace were locked: for more of them than the database has room to remember. */
export async function lockFiles(tx: Transaction, organizationId: string): Promise<void> {
  await tx.$queryRaw`SELECT pg_advisory_xact_lock(hashtextextended(${allOf(organizationId)}, 0))::text`;
}

/** Call it in the change that writes a row which names the file, before that row. */
export async function hold(tx: Transaction, organizationId: string, sha256: string): Promise<void> {
  await lockFile(tx, organizationId, sha256);
  if (!(await (await backend()).find({ organizationId, sha256 }))) throw removed();
}

const filesAtOnce = 16;

/** The same for many, in a long change: keeps the sweep away from the workspace's files, and no one else. */
export async function keepFiles(tx: Transaction, organizationId: string, sha256s: string[]): Promise<void> {
  if (sha256s.length === 0) return;
  await tx.$queryRaw`SELECT pg_advisory_xact_lock_shared(hashtextextended(${sweepOf(organizationId)}, 0))::text`;
  const { find } = await backend();
  for (let at = 0; at < sha256s.length; at += filesAtOnce) {
    const some = sha256s.slice(at, at + filesAtOnce);
    const found = await Promise.all(some.map((sha256) => find({ organizationId, sha256 })));
    if (found.includes(null)) throw removed();
    // Thousands of files take a while to be asked for, in which the database is to hear of the change.
    await tx.$queryRaw`SELECT 1`;
  }
}

/** For the sweep: false while a long change keeps the workspace's files, or a backup copies everyone's. */
export async function maySweep(tx: Transaction, organizationId: string): Promise<boolean> {
  const [row] = await tx.$queryRaw<{ taken: boolean }[]>`
    SELECT pg_try_advisory_xact_lock(hashtextextended(${sweepOf(organizationId)}, 0))
      AND pg_try_advisory_xact_lock_shared(hashtextextended('backup', 0)) AS taken`;
  return row?.taken === true;
}

const removed = () => new Refusal("conflict", "The file was removed while it was being used. Send it again.");
