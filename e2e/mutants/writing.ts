/** Slips around what one change writes: all of it or nothing. */
import type { Mutant } from "./mutant.ts";

const atomic = "e2e/faults/atomic-writes.spec.ts";

export const writing: Mutant[] = [
  {
    slip: "a change of a contract leaves out one of its columns",
    edits: [
      {
        file: "lib/contracts/statements.ts",
        find: 'const updated = columnsSetBy("request", "lifecycle", "clock");',
        replace: `const updated = columnsSetBy("request", "lifecycle", "clock")
  .filter((name) => name !== "renewalMonths");`,
      },
    ],
    caughtBy: {
      file: "e2e/api/contract-columns.spec.ts",
      title: "writes return the same contract as reads and exports, for every field, without webhooks",
    },
  },
  {
    slip: "a kept answer is written on another connection than its effect",
    edits: [
      {
        file: "lib/http/idempotency.ts",
        find: "await tx.idempotencyRecord.create({",
        replace: "await (await housekeeping(async (store) => ({ on: store.idempotencyRecord }))).on.create({",
      },
    ],
    caughtBy: {
      file: atomic,
      title: "a change that fails to commit leaves no stored response and no webhook event",
    },
  },
  {
    slip: "a kept answer is written later than its effect, and no one hears when that fails",
    edits: [
      {
        file: "lib/http/idempotency.ts",
        find: `await tx.idempotencyRecord.create({
      data: { ...id, ...outcome, body: withoutSecret(outcome.body), fingerprint, createdAt: ctx.now },
    });`,
        replace: `const data = { ...id, ...outcome, body: withoutSecret(outcome.body), fingerprint, createdAt: ctx.now };
    setImmediate(() => housekeeping((store) => store.idempotencyRecord.create({ data })).catch(() => undefined));`,
      },
    ],
    caughtBy: {
      file: atomic,
      title: "a change is rolled back when its response cannot be stored under its Idempotency-Key",
    },
  },
  {
    slip: "webhook events are written on another connection than their change",
    edits: [
      {
        file: "lib/core/change.ts",
        find: "if (current.happenings.length > 0) await listening().write(tx, current.happenings);",
        replace:
          "if (current.happenings.length > 0) await listening().write(database().prisma, current.happenings);",
      },
    ],
    caughtBy: {
      file: atomic,
      title: "a change that fails after its webhook events are written is rolled back with them",
    },
  },
  {
    slip: "webhook events are written after the commit of their change",
    edits: [
      {
        file: "lib/core/change.ts",
        find: "if (current.happenings.length > 0) await listening().write(tx, current.happenings);",
        replace:
          "setTimeout(() => listening().write(database().prisma, current.happenings).catch(() => undefined), 20);",
      },
    ],
    caughtBy: { file: atomic, title: "a change is rolled back when its webhook event cannot be written" },
  },
  {
    slip: "webhook events are lost with a server that dies after the commit",
    edits: [
      {
        file: "lib/core/change.ts",
        find: "if (current.happenings.length > 0) await listening().write(tx, current.happenings);",
        replace:
          "setTimeout(() => listening().write(database().prisma, current.happenings).catch(() => undefined), 20);",
      },
    ],
    caughtBy: {
      file: atomic,
      title: "a server killed during a change, before the webhook event is written, leaves nothing of it",
    },
  },
];
