/**
 * Creates the demo workspace, if the database has no workspace yet. It does so in one transaction, so that all of it
 * exists or nothing, however this process ends. Prints the credentials as JSON; null if there was a workspace already.
 */
import "#lib/events/listen.ts";
import { randomInt } from "node:crypto";
import { change } from "#lib/core/change.ts";
import { systemContext } from "#lib/core/context.ts";
import { disconnect, type Transaction } from "#lib/core/db.ts";
import { prepareQueue } from "#lib/jobs/queue.ts";
import { createDemo } from "./create.ts";

const seedLock = 7_201_004;

const letters = "abcdefghijkmnpqrstuvwxyz23456789";

/** 80 bits of entropy, without characters that look alike. */
function newPassword(): string {
  const group = () => Array.from({ length: 4 }, () => letters[randomInt(letters.length)]).join("");
  return [group(), group(), group(), group()].join("-");
}

/** If two servers start together, the second waits here for the first one's transaction, then finds its workspace. */
async function isEmpty(tx: Transaction): Promise<boolean> {
  await tx.$queryRaw`SELECT pg_advisory_xact_lock(${seedLock})::text`;
  return (await tx.organization.findFirst({ select: { id: true } })) === null;
}

/** Seeding takes a few seconds; on a small, busy machine it may take many times as long. */
const timeoutMs = 15 * 60_000;

async function seed() {
  const now = new Date();
  const work = async (tx: Transaction) => {
    if (!(await isEmpty(tx))) return null;
    process.stderr.write("countersign: creating the demo workspace\n");
    return createDemo(newPassword(), now);
  };
  return change(systemContext("demo", "seed", now), work, { timeoutMs, awaitsDocuments: true });
}

try {
  // The demo's documents wait in the queue until a server renders them.
  await prepareQueue();
  process.stdout.write(`${JSON.stringify(await seed())}\n`);
} finally {
  await disconnect();
}
