/**
 * Writes that are no change to what a workspace agreed on, and that its log does not tell of: sign-ins and links in
 * mails, counters, what is a person's own, what has become useless, secrets encrypted with another key.
 * lib/boundaries.test.ts lists who does it, and why.
 */
import { database, type Transaction } from "./db.ts";

/** Each statement for itself. */
export async function housekeeping<T>(work: (store: Transaction) => Promise<T>): Promise<T> {
  return work(database().prisma);
}

/** All statements, or none. */
export async function atomicHousekeeping<T>(
  work: (tx: Transaction) => Promise<T>,
  limits: { maxWait?: number; timeout?: number } = {},
): Promise<T> {
  return database().prisma.$transaction(work, limits);
}
