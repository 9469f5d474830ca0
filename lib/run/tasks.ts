/**
 * Background work in the same PostgreSQL: graphile-worker jobs, their schedules and handlers, and webhook deliveries.
 */
import "#lib/events/listen.ts";
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
import type { Pool } from "pg";
import { z } from "zod";
import { forgetOldAssistants } from "#lib/assistants/sweep.ts";
import { signCheckpoints } from "#lib/checkpoints/sign.ts";
import { advanceContracts, announceExpiring } from "#lib/contracts/daily.ts";
import { prepareVersion } from "#lib/contracts/prepare.ts";
import { clock } from "#lib/core/clock.ts";
import { housekeeping } from "#lib/core/housekeeping.ts";
import { log } from "#lib/core/log.ts";
import { withSpan } from "#lib/core/tracing/tracing.ts";
import { forgetOldAnswers } from "#lib/http/idempotency.ts";
import { forgetOldImports } from "#lib/imports/imports.ts";
import { runImport } from "#lib/imports/run.ts";
import { openQueuePool } from "#lib/jobs/pool.ts";
import { showPresence } from "#lib/jobs/presence.ts";
import { type Running, watchRunning } from "#lib/jobs/running.ts";
import { forgetOldUsage } from "#lib/keys/usage.ts";
import { forgetOldMails, sendQueuedMail } from "#lib/mail/queue.ts";
import {
  forgetOldNotifications,
  sendDueApprovals,
  sendDueAssignments,
  sendDueDigests,
  sendDueMentions,
  sendDueUrgent,
} from "#lib/notifications/daily.ts";
import { announceDue } from "#lib/obligations/daily.ts";
import { writeOwners } from "#lib/obligations/owners.ts";
import { catchUpClauses } from "#lib/overview/search/catch-up.ts";
import { indexVersion } from "#lib/overview/search/clause-index.ts";
import { embedVersion } from "#lib/overview/search/embedding-job.ts";
import { learnWorkspace } from "#lib/overview/search/word-learning.ts";
import { mailReset } from "#lib/people/accounts/password-reset.ts";
import { recordFailedSignIn } from "#lib/people/accounts/sign-in.ts";
import { mailSignUp } from "#lib/people/accounts/sign-up.ts";
import { forgetOldSessions } from "#lib/people/users/sessions.ts";
import { drawPreview } from "#lib/previews/draw.ts";
import { catchUpProposals } from "#lib/proposals/catch-up.ts";
import { proposeFromVersion } from "#lib/proposals/read-version.ts";
import { expireRequests, remindSigners, resumeSealing } from "#lib/signatures/daily.ts";
import { deliverSigningMail } from "#lib/signatures/mails.ts";
import { checkOperatorsKey } from "#lib/signatures/seal/keys.ts";
import { sealEnvelope } from "#lib/signatures/seal/seal.ts";
import { forgetOldVisits } from "#lib/signatures/sign/sessions.ts";
import { sweepFiles } from "#lib/storage/sweep.ts";
import { forgetOldUploads } from "#lib/uploads/list.ts";
import { forgetOldDeliveries } from "#lib/webhooks/deliveries.ts";
import { Dispatcher } from "#lib/webhooks/dispatch.ts";
import { deliveryChannel } from "#lib/webhooks/events.ts";

/** The minimum age of an unreferenced file before the sweep deletes it; one day by default. */
const SweepPayload = z.object({ graceSeconds: z.number().nonnegative().default(86_400) });

/** The number of this attempt at a job, counted from 1, and the highest possible number. */
export interface Attempt {
  attempts: number;
  max_attempts: number;
}

type Handler = (payload: unknown, attempt: Attempt) => Promise<unknown>;

const handlers = {
  "accounts.failed": recordFailedSignIn,
  "accounts.reset": (payload) => mailReset(payload),
  "accounts.signUp": (payload) => mailSignUp(payload),
  "accounts.forget": () => forgetOldSessions(clock()),
  /** What depends on the date alone. It runs every hour, so that it is correct within an hour of UTC midnight. */
  "calendar.advance": async () => {
    await advanceContracts();
    await announceExpiring();
    await announceDue();
  },
  "assistants.forget": () => forgetOldAssistants(clock()),
  "audit.checkpoint": () => signCheckpoints(),
  "files.sweep": (payload) => sweepFiles(clock(), SweepPayload.parse(payload ?? {}).graceSeconds * 1000),
  "clauses.catchUp": () => catchUpClauses(),
  "clauses.embed": (payload) => embedVersion(payload),
  "clauses.index": (payload) => indexVersion(payload),
  "clauses.learn": (payload) => learnWorkspace(payload),
  "idempotency.forget": () => forgetOldAnswers(clock()),
  "imports.forget": () => forgetOldImports(),
  "imports.run": runImport,
  "keys.forget": () => forgetOldUsage(clock()),
  "mail.forget": () => forgetOldMails(),
  "mail.send": sendQueuedMail,
  "notifications.fromOthers": async () => {
    await sendDueAssignments();
    await sendDueMentions();
    await sendDueApprovals();
  },
  "notifications.digest": async () => {
    await sendDueDigests();
    await sendDueUrgent();
  },
  "notifications.forget": () => forgetOldNotifications(),
  "obligations.catchUp": () => writeOwners(),
  "signatures.checkKey": () => checkOperatorsKey(),
  "signatures.expire": () => expireRequests(),
  "signatures.forget": () => forgetOldVisits(clock()),
  "signatures.mail": deliverSigningMail,
  "signatures.remind": () => remindSigners(),
  "signatures.resume": () => resumeSealing(),
  "signatures.seal": sealEnvelope,
  "uploads.forget": () => forgetOldUploads(),
  "versions.catchUp": () => catchUpProposals(),
  "versions.prepare": prepareVersion,
  "versions.preview": drawPreview,
  "versions.propose": proposeFromVersion,
  "webhooks.forget": () => housekeeping((store) => forgetOldDeliveries(store, clock())),
} satisfies Record<string, Handler>;

const schedule: { task: keyof typeof handlers; match: string }[] = [
  { task: "calendar.advance", match: "1 * * * *" },
  { task: "audit.checkpoint", match: "25 * * * *" },
  { task: "accounts.forget", match: "50 3 * * *" },
  { task: "clauses.catchUp", match: "*/10 * * * *" },
  { task: "versions.catchUp", match: "5,15,25,35,45,55 * * * *" },
  { task: "assistants.forget", match: "*/5 * * * *" },
  { task: "idempotency.forget", match: "30 * * * *" },
  { task: "files.sweep", match: "50 3 * * *" },
  { task: "mail.forget", match: "20 * * * *" },
  { task: "imports.forget", match: "15 * * * *" },
  { task: "keys.forget", match: "55 3 * * *" },
  { task: "notifications.fromOthers", match: "* * * * *" },
  // Time zones are offset by multiples of a quarter of an hour.
  { task: "notifications.digest", match: "*/15 * * * *" },
  { task: "notifications.forget", match: "45 3 * * *" },
  { task: "obligations.catchUp", match: "40 * * * *" },
  { task: "signatures.checkKey", match: "10 6 * * *" },
  { task: "signatures.expire", match: "* * * * *" },
  { task: "signatures.forget", match: "20 4 * * *" },
  { task: "signatures.remind", match: "5 * * * *" },
  { task: "signatures.resume", match: "*/5 * * * *" },
  { task: "uploads.forget", match: "35 3 * * *" },
  { task: "webhooks.forget", match: "40 3 * * *" },
];

type Task = keyof typeof handlers;

/**
 * Groups of tasks with workers of their own, and the number of concurrent jobs in each: the sealing that people wait
 * for after signing, and what can take minutes, such as rendering and reading documents and indexing clauses.
 */
const dedicatedCrews: { tasks: Task[]; atOnce: number }[] = [
  { tasks: ["signatures.seal"], atOnce: 2 },
  { tasks: ["versions.prepare", "versions.preview"], atOnce: 2 },
  { tasks: ["imports.run"], atOnce: 2 },
  { tasks: ["clauses.index", "clauses.embed", "clauses.learn", "versions.propose"], atOnce: 2 },
];

const isApart = (task: Task) => dedicatedCrews.some(({ tasks }) => tasks.includes(task));

const crews: { tasks: Task[]; atOnce: number; ofShare: number }[] = [
  ...dedicatedCrews.map((crew) => ({ ...crew, ofShare: 1 })),
  { tasks: (Object.keys(handlers) as Task[]).filter((task) => !isApart(task)), atOnce: 2, ofShare: 2 },
];

/** Starts the workers. `stop` lets running jobs finish. */
export async function startWorker(): Promise<{ stop(): Promise<void> }> {
  const leaving = new AbortController();
  const pool = openQueuePool(2 * crews.length, leaving.signal);
  const started = await Promise.all(crews.map((crew) => startCrew(crew, pool)));
  const [first] = started as [Crew];
  const dispatcher = new Dispatcher(first.name);
  const heard = (endpoint: string) => dispatcher.wake(endpoint);
  // Shows presence first: jobs and deliveries of a worker without presence are released to others.
  const names = started.map(({ name }) => name);
  const idle = () => started.filter(({ running }) => running.isQuiet()).map(({ name }) => name);
  const presence = await showPresence(names, { channel: deliveryChannel, heard }, idle);
  dispatcher.start();
  await catchUp(first.runner.addJob);
  return {
    async stop() {
      leaving.abort();
      await Promise.all([...started.map(({ runner }) => runner.stop()), dispatcher.stop()]);
      await presence.close();
      await pool.end();
    },
  };
}

interface Crew {
  runner: Runner;
  /** The name under which the queue locks jobs for this crew. */
  name: string;
  running: Running;
}

async function startCrew({ tasks, atOnce, ofShare }: (typeof crews)[number], pool: Pool): Promise<Crew> {
  const taskList: TaskList = Object.fromEntries(
    tasks.map((task): [string, NonNullable<TaskList[string]>] => [
      task,
      async (payload, { job }) =>
        void (await withSpan(
          { kind: "job", name: task, facts: { "countersign.attempt": job.attempts } },
          () => (handlers[task] as Handler)(payload, job),
        )),
    ]),
  );
  const events: WorkerEvents = new EventEmitter();
  const running = watchRunning(events);
  let name = "";
  events.on("pool:create", ({ workerPool }) => {
    name = workerPool.id;
  });
  const runner = await run({
    events,
    pgPool: pool,
    taskList,
    parsedCronItems: parseCronItems(
      schedule
        .filter(({ task }) => tasks.includes(task))
        .map(({ task, match }) => ({ task, match, identifier: task, options: { maxAttempts: 3 } })),
    ),
    concurrency: atOnce,
    // The jobs of a share run one at a time, so that other shares always find a free worker. The queue's own named
    // queues would do so across all processes, but are released only some time after a job ends: the next job would
    // wait for the poll every two seconds.
    ...(ofShare < atOnce ? { forbiddenFlags: running.flags } : {}),
    noHandleSignals: true,
    logger: new Logger(() => (level, message, meta) => {
      if (level === "error" || level === "warning") log().warn({ ...meta, error: undefined }, message);
    }),
  });
  return { runner, name, running };
}

/** Enqueues what cannot wait for its schedule, such as after a server was down at midnight. */
async function catchUp(addJob: AddJobFunction): Promise<void> {
  const tasks = ["calendar.advance", "clauses.catchUp", "versions.catchUp", "obligations.catchUp"];
  for (const task of [...tasks, "notifications.digest"]) {
    await addJob(task, {}, { jobKey: task, maxAttempts: 3 });
  }
}
