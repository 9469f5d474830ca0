/**
 * Background work, in the same PostgreSQL: jobs on graphile-worker, by names, schedules, handlers; and the
 * deliveries of webhooks.
 */
import { EventEmitter } from "node:events";
import {
  type AddJobFunction,
  Logger,
  parseCronItems,
  type Runner,
  run,
  type TaskList,
  type WorkerEvents,
} from "graphile-worker";
import { z } from "zod";
import { mailReset } from "./accounts/password-reset.ts";
import { forgetOldSessions } from "./accounts/sessions.ts";
import { noteFailedSignIn } from "./accounts/sign-in.ts";
import { mailSignUp } from "./accounts/sign-up.ts";
import { forgetOldAnswers } from "./api/idempotency.ts";
import { signCheckpoints } from "./checkpoints/sign.ts";
import { clock } from "./clock.ts";
import { advanceContracts, announceExpiring } from "./contracts/calendar.ts";
import { prepareVersion } from "./contracts/prepare.ts";
import { database } from "./db.ts";
import { log } from "./log.ts";
import { forgetOldMails, sendQueuedMail } from "./mail-queue.ts";
import { announceDue } from "./obligations/calendar.ts";
import { showPresence } from "./presence.ts";
import { expireRequests, remindSigners, resumeSealing } from "./signatures/calendar.ts";
import { forgetOldVisits } from "./signatures/ceremony/sessions.ts";
import { deliverSigningMail } from "./signatures/mails.ts";
import { checkOperatorsKey } from "./signatures/sealing/keys.ts";
import { sealEnvelope } from "./signatures/sealing/seal.ts";
import { sweepFiles } from "./storage/sweep.ts";
import { forgetOldDeliveries } from "./webhooks/deliveries.ts";
import { Dispatcher } from "./webhooks/dispatch.ts";
import { deliveryChannel } from "./webhooks/events.ts";

const SweepPayload = z.object({ graceSeconds: z.number().nonnegative().default(86_400) });

/** Which attempt at a job this is, counted from 1, and whether there will be another. */
export interface Attempt {
  attempts: number;
  max_attempts: number;
}

const handlers = {
  "accounts.failed": noteFailedSignIn,
  "accounts.reset": (payload) => mailReset(payload),
  "accounts.signUp": (payload) => mailSignUp(payload),
  "accounts.forget": () => forgetOldSessions(clock()),
  /** What time alone changes: every hour, so that it is true within an hour of UTC midnight. */
  "calendar.advance": async () => {
    await advanceContracts();
    await announceExpiring();
    await announceDue();
  },
  /** `graceSeconds` is for operators who cannot wait a day. */
  "audit.checkpoint": () => signCheckpoints(),
  "files.sweep": (payload) => sweepFiles(clock(), SweepPayload.parse(payload ?? {}).graceSeconds * 1000),
  "idempotency.forget": () => forgetOldAnswers(clock()),
  "mail.forget": () => forgetOldMails(),
  "mail.send": sendQueuedMail,
  "signatures.checkKey": () => checkOperatorsKey(),
  "signatures.expire": () => expireRequests(),
  "signatures.forget": () => forgetOldVisits(clock()),
  "signatures.mail": deliverSigningMail,
  "signatures.remind": () => remindSigners(),
  "signatures.resume": () => resumeSealing(),
  "signatures.seal": sealEnvelope,
  "versions.prepare": prepareVersion,
  "webhooks.forget": () => forgetOldDeliveries(database().prisma, clock()),
} satisfies Record<string, (payload: unknown, attempt: Attempt) => Promise<unknown>>;

const schedule: { task: keyof typeof handlers; match: string }[] = [
  { task: "calendar.advance", match: "1 * * * *" },
  { task: "audit.checkpoint", match: "25 * * * *" },
  { task: "accounts.forget", match: "50 3 * * *" },
  { task: "idempotency.forget", match: "30 * * * *" },
  { task: "files.sweep", match: "50 3 * * *" },
  { task: "mail.forget", match: "20 * * * *" },
  { task: "signatures.checkKey", match: "10 6 * * *" },
  { task: "signatures.expire", match: "* * * * *" },
  { task: "signatures.forget", match: "20 4 * * *" },
  { task: "signatures.remind", match: "5 * * * *" },
  { task: "signatures.resume", match: "*/5 * * * *" },
  { task: "webhooks.forget", match: "40 3 * * *" },
];

/** Starts working. `stop` lets running jobs finish. */
export async function startWorker(): Promise<{ stop(): Promise<void> }> {
  const taskList: TaskList = Object.fromEntries(
    Object.entries(handlers).map(([name, handle]) => [
      name,
      async (payload, { job }) => void (await handle(payload, job)),
    ]),
  );
  const events: WorkerEvents = new EventEmitter();
  let worker = "";
  events.on("pool:create", ({ workerPool }) => {
    worker = workerPool.id;
  });
  const runner: Runner = await run({
    events,
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
  const dispatcher = new Dispatcher(worker);
  const heard = (endpoint: string) => dispatcher.wake(endpoint);
  // First the presence: what is claimed by a worker that is not there is taken from it.
  const presence = await showPresence(worker, { channel: deliveryChannel, heard });
  dispatcher.start();
  await catchUp(runner.addJob);
  return {
    async stop() {
      await Promise.all([runner.stop(), dispatcher.stop()]);
      await presence.close();
    },
  };
}

/** A server that slept over midnight does not wait for the next hour. */
async function catchUp(addJob: AddJobFunction): Promise<void> {
  await addJob("calendar.advance", {}, { jobKey: "calendar.advance", maxAttempts: 3 });
}
