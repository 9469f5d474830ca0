/** Background work, on graphile-worker in the same PostgreSQL: names, schedules, handlers. */
import {
  type AddJobFunction,
  Logger,
  parseCronItems,
  type Runner,
  run,
  runMigrations,
  type TaskList,
} from "graphile-worker";
import { forgetOldAnswers } from "./api/idempotency.ts";
import { advanceContracts } from "./contracts/calendar.ts";
import { database } from "./db.ts";
import { log } from "./log.ts";
import { deliverMail } from "./mail.ts";

const handlers = {
  /** What time alone changes: every hour, so that it is true within an hour of UTC midnight. */
  "calendar.advance": () => advanceContracts(),
  "idempotency.forget": () => forgetOldAnswers(new Date()),
  "mail.send": deliverMail,
} satisfies Record<string, (payload: unknown) => Promise<unknown>>;

const schedule: { task: keyof typeof handlers; match: string }[] = [
  { task: "calendar.advance", match: "1 * * * *" },
  { task: "idempotency.forget", match: "30 * * * *" },
];

/** Makes the tables that jobs are put into, where no worker has yet. */
export async function prepareJobs(): Promise<void> {
  await runMigrations({ pgPool: database().pool });
}

/** Starts working. `stop` lets running jobs finish. */
export async function startWorker(): Promise<{ stop(): Promise<void> }> {
  const taskList: TaskList = Object.fromEntries(
    Object.entries(handlers).map(([name, handle]) => [name, async (payload) => void (await handle(payload))]),
  );
  const runner: Runner = await run({
    pgPool: database().pool,
    taskList,
    parsedCronItems: parseCronItems(
      schedule.map(({ task, match }) => ({ task, match, identifier: task, options: { maxAttempts: 3 } })),
    ),
    concurrency: 2,
    noHandleSignals: true,
    logger: new Logger(() => (level, message, meta) => {
      if (level === "error" || level === "warning") log().warn({ ...meta, error: undefined }, message);
    }),
  });
  await catchUp(runner.addJob);
  return { stop: () => runner.stop() };
}

/** A server that slept over midnight does not wait for the next hour. */
async function catchUp(addJob: AddJobFunction): Promise<void> {
  await addJob("calendar.advance", {}, { jobKey: "calendar.advance", maxAttempts: 3 });
}
