/**
 * Writes that are not part of a workspace's records and so are not logged: sign-ins, links in e-mails, counters,
 * personal settings, cleanup, re-encrypted secrets. lib/boundaries.test.ts lists the callers and their reasons.
 */
import { database, type Transaction } from "./db.ts";

/** Runs each statement on its own. */
export async function housekeeping<T>(work: (store: Transaction) => Promise<T>): Promise<T> {
  return work(database().prisma);
}

/** Runs all statements in one transaction. */
export async function atomicHousekeeping<T>(
  work: (tx: Transaction) => Promise<T>,
  limits: { maxWait?: number; timeout?: number } = {},
): Promise<T> {
  return database().prisma.$transaction(work, limits);
}
