/**
 * Makes the demo workspace in a database that has no workspace yet, in one transaction: however this process
 * ends, there is all of it or nothing. Prints what the operator needs to sign in, or null.
 */
import "#lib/events/listen.ts";
import { randomInt } from "node:crypto";
import { change } from "#lib/core/change.ts";
import { systemContext } from "#lib/core/context.ts";
import { disconnect, type Transaction } from "#lib/core/db.ts";
import { prepareQueue } from "#lib/jobs/queue.ts";
import { tellDemo } from "./tell.ts";

const seedLock = 7_201_004;

const letters = "abcdefghijkmnpqrstuvwxyz23456789";

/** 80 bits, without letters that look like digits. */
function newPassword(): string {
  const group = () => Array.from({ length: 4 }, () => letters[randomInt(letters.length)]).join("");
  return [group(), group(), group(), group()].join("-");
}

/** Of two servers that start together, the second waits here, and then finds the workspace. */
async function isEmpty(tx: Transaction): Promise<boolean> {
  await tx.$queryRaw`SELECT pg_advisory_xact_lock(${seedLock})::text`;
  return (await tx.organization.findFirst({ select: { id: true } })) === null;
}

/** It takes some seconds; a small machine at work may need many times as long. */
const timeoutMs = 15 * 60_000;

async function seed() {
  const now = new Date();
  const work = async (tx: Transaction) => {
    if (!(await isEmpty(tx))) return null;
    process.stderr.write("countersign: creating the demo workspace\n");
    return tellDemo(newPassword(), now);
  };
  return change(systemContext("demo", "seed", now), work, { timeoutMs, awaitsDocuments: true });
}

try {
  // The documents of the demo wait in the queue for the server that will render them.
  await prepareQueue();
  process.stdout.write(`${JSON.stringify(await seed())}\n`);
} finally {
  await disconnect();
}
