/**
 * A worker is killed at each moment of sealing, and another one resumes after it was given up. The request gets one
 * sealed version and one of everything that follows, and nothing is sealed twice.
 */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { closeGate, closeTable, commitOf, type Place } from "../gate.ts";
import { type Installation, install } from "../installation.ts";

let product: Installation;
let databaseUrl: string;

test.describe.configure({ mode: "serial", timeout: 240_000 });

test.beforeAll(async () => {
  product = await install({ WEBHOOK_ALLOW_PRIVATE: "1" });
  databaseUrl = product.environment.DATABASE_URL!;
  // Nothing listens here: deliveries are counted, not received.
  const endpoint = { url: "http://127.0.0.1:9/", events: ["signature_request.completed"] };
  expect((await product.api("POST /webhook-endpoints", { body: endpoint })).status).toBe(201);
});

test.afterAll(() => product?.close());

/** Counts each result of one sealing. */
async function results(id: string) {
  const [row] = await product.select<Record<string, number>>(`
    SELECT (e.status = 'COMPLETED')::int AS completed, e.seal_attempts AS attempts,
      (SELECT count(*) FROM document_versions v WHERE v.contract_id = e.contract_id AND source = 'SIGNED')::int AS versions,
      (SELECT count(*) FROM signing_events s WHERE s.envelope_id = e.id AND type = 'SEALED')::int AS sealed,
      (SELECT count(*) FROM signing_mails m WHERE m.envelope_id = e.id AND template = 'signing-completed'
         AND signer_id IS NOT NULL)::int AS mails,
      (SELECT count(*) FROM events h WHERE h.payload::json #>> '{data,envelope,id}' = e.id)::int AS events,
      (SELECT count(*) FROM audit_events a WHERE a.contract_id = e.contract_id
         AND action = 'SIGNATURE_REQUEST_COMPLETED')::int AS history
    FROM envelopes e WHERE e.id = '${id}'`);
  const { attempts, ...others } = row!;
  return { attempts: attempts!, others };
}

const nothing = { completed: 0, versions: 0, sealed: 0, mails: 0, events: 0, history: 0 };
const one = { completed: 1, versions: 1, sealed: 1, mails: 1, events: 1, history: 1 };

/** Counts the stored documents, whether a row refers to them or not. */
async function storedFiles(): Promise<number> {
  const folder = join(product.environment.DATA_DIR!, "files");
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).length;
}

/** Counts the remaining jobs of these kinds. */
const jobsLeft = async (...tasks: string[]) => {
  const sql = `SELECT 1 FROM graphile_worker.jobs WHERE task_identifier = ANY('{${tasks.join()}}')`;
  return (await product.select(sql)).length;
};

/** Signs a request, and lets a worker seal it up to this point. */
async function workedUntil(place: Place) {
  const {
    signed: [id = ""],
  } = await product.sign(1);
  const files = await storedFiles();
  const gate = await closeGate(databaseUrl, place);
  const worker = product.work();
  await gate.reached();
  return { id, gate, worker, newFiles: (await storedFiles()) - files };
}

async function finishedBy(worker: ReturnType<Installation["work"]>): Promise<void> {
  const left = () => jobsLeft("signatures.seal", "signatures.mail");
  await expect.poll(left, { timeout: 90_000 }).toBe(0);
  await worker.end("SIGTERM");
}

interface Moment {
  moment: string;
  place: Place;
  /** The files stored by then, and how often sealing is started in total. */
  files: number;
  begun: number;
  /** What exists once the worker is gone. */
  left: typeof one;
}

/** In the order in which sealing reaches them. A workspace's first request also creates its key. */
const moments: Moment[] = [
  {
    moment: "before sealing anything",
    place: { on: "BEFORE INSERT ON signing_keys" },
    ...{ files: 0, begun: 2, left: nothing },
  },
  {
    moment: "after storing the sealed PDF but before referring to it in a row",
    place: { on: "BEFORE INSERT ON document_versions", when: "NEW.source = 'SIGNED'" },
    ...{ files: 1, begun: 2, left: nothing },
  },
  {
    moment: "after writing everything but before the commit",
    place: { on: "BEFORE INSERT ON audit_events", when: "NEW.action = 'SIGNATURE_REQUEST_COMPLETED'" },
    ...{ files: 1, begun: 2, left: nothing },
  },
  {
    moment: "during the commit",
    place: commitOf("envelopes", "NEW.status = 'COMPLETED'"),
    ...{ files: 1, begun: 1, left: one },
  },
  {
    moment: "after the commit but before completing the job",
    place: {
      on: "BEFORE DELETE ON graphile_worker._private_jobs",
      when: "OLD.key LIKE 'signatures.seal %'",
    },
    ...{ files: 1, begun: 1, left: one },
  },
];

for (const { moment, place, files, begun, left } of moments) {
  test(`a request is sealed once when a worker is killed ${moment}`, async () => {
    const { id, gate, worker, newFiles } = await workedUntil(place);
    expect(newFiles).toBe(files);
    await worker.end("SIGKILL");
    // A commit that has begun succeeds in the database. The job's deletion has not been requested yet.
    await (place.on.startsWith("BEFORE DELETE") ? gate.cut() : gate.open());
    await expect.poll(async () => (await results(id)).others).toEqual(left);
    expect(await jobsLeft("signatures.seal"), "another worker will take it up").toBe(1);
    await finishedBy(product.work());
    expect(await results(id)).toEqual({ attempts: begun, others: one });
  });
}

test("a worker that resumes after another one has sealed the request changes nothing", async () => {
  const {
    signed: [id = ""],
  } = await product.sign(1);
  const table = await closeTable(databaseUrl, "signing_keys");
  const first = product.work();
  await table.reached();
  // Stopped forever within another job's transaction, the worker would block everyone who needs the same rows.
  const atWork = async () =>
    product.select("SELECT task_identifier FROM graphile_worker.jobs WHERE locked_at IS NOT NULL");
  await expect.poll(atWork, { timeout: 90_000 }).toEqual([{ task_identifier: "signatures.seal" }]);
  // To the others it is dead: it does not run, and the connection that shows it is alive is gone.
  first.pause();
  await table.open();
  await product.select(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE application_name = 'countersign worker'`);
  const second = product.work();
  await expect.poll(async () => (await results(id)).others, { timeout: 90_000 }).toEqual(one);
  first.resume();
  // It finishes its current work before it exits.
  await first.end("SIGTERM");
  await finishedBy(second);
  expect(await results(id)).toEqual({ attempts: 2, others: one });
});
