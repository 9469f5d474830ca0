/**
 * `npm run bench -- render`: how long rendering a DOCX as PDF takes, with LibreOffice already started and without; how
 * much memory it keeps; how many starts fail on a busy machine; how long the first preview of a template takes after
 * its page is opened; and whether a queue of fifty documents reports the right places. Fails if a limit is broken.
 */
import "#lib/events/listen.ts";
import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { docx, docxType } from "#e2e/docx.ts";
import { templateIn } from "#e2e/templates.ts";
import { createContract } from "#lib/contracts/create.ts";
import { addVersion, listVersions, withQueuePositions } from "#lib/contracts/versions.ts";
import { systemContext } from "#lib/core/context.ts";
import { disconnect } from "#lib/core/db.ts";
import { Office, office } from "#lib/documents/render/office.ts";
import { prepareQueue } from "#lib/jobs/queue.ts";
import { store } from "#lib/storage/store.ts";
import { preparePreview, previewTemplate } from "#lib/templates/preview.ts";
import { Filling } from "#lib/templates/schema.ts";
import { openDatabase } from "./database.ts";
import { type Flags, say } from "./flags.ts";
import { closeOnInterrupt } from "./interrupt.ts";
import { judged, type Limited } from "./limits.ts";
import { median } from "./percentiles.ts";
import { rssMb } from "./processes.ts";
import { seeded } from "./seed.ts";
import { startWorker } from "./servers.ts";

const queued = 50;
const restMs = 2_000;
const starts = 20;
const busyProcesses = 3;
/** The time a person spends reading before requesting a preview. */
const readingMs = 4_000;

const paragraphs = Array.from(
  { length: 120 },
  (_, at) =>
    `${at + 1}. The Supplier shall perform service ${at} with reasonable skill and care, and the Customer shall pay for it within thirty days.`,
);

export async function renderBench(flags: Flags): Promise<void> {
  await using closing = new AsyncDisposableStack();
  closeOnInterrupt(closing);
  const dataDir = await mkdtemp(join(tmpdir(), "countersign-bench-render-"));
  closing.defer(() => rm(dataDir, { recursive: true, force: true }));
  const database = await openDatabase(flags.keep);
  closing.defer(() => database.close());
  closing.defer(() => disconnect());
  closing.defer(() => office().close());
  const settings = {
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    SECRET_KEY: "what the servers of a bench encrypt with",
    LOG_LEVEL: "error",
  };
  Object.assign(process.env, settings);
  await prepareQueue();
  const { organizationId, userIds } = (await seeded(database, ["small"])).small!;
  const rows = [
    ...(await measureOffice(Math.max(flags.rounds, 10))),
    await measureStarts(closing),
    await measurePreview(organizationId),
    ...(await measureQueue(organizationId, userIds[0]!, () => startWorker(database.url, settings))),
  ];
  process.stdout.write(judged(rows, flags));
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await work();
  return performance.now() - from;
}

async function measureOffice(runs: number): Promise<Limited[]> {
  say("rendering a document of four pages");
  const one = new Office({ idleMs: restMs });
  const bytes = docx(paragraphs);
  const before = rssMb(process.pid) ?? 0;
  const cold = await timed(() => one.render(bytes));
  const times: number[] = [];
  for (let at = 0; at < runs; at++) times.push(await timed(() => one.render(bytes)));
  const held = (rssMb(process.pid) ?? 0) - before;
  await sleep(restMs + 1_000);
  return [
    { what: "DOCX to PDF, LibreOffice not started", value: cold, unit: "ms" },
    { what: "DOCX to PDF, LibreOffice started, p50", value: median(times), atMost: 1_500, unit: "ms" },
    { what: "memory held while it waits", value: held, unit: "MB" },
    {
      what: "memory held a second after that",
      value: (rssMb(process.pid) ?? 0) - before,
      atMost: 60,
      unit: "MB",
    },
  ];
}

/** Each start has one attempt; outside of benches it has four. */
async function measureStarts(closing: AsyncDisposableStack): Promise<Limited> {
  say(`starting LibreOffice ${starts} times beside ${busyProcesses} busy processes`);
  const busy = Array.from({ length: busyProcesses }, () => spawn(process.execPath, ["-e", "for (;;);"]));
  const stopBusy = () => {
    for (const child of busy) child.kill("SIGKILL");
  };
  // An interrupted bench must not leave them running.
  closing.defer(stopBusy);
  let failed = 0;
  for (let at = 0; at < starts; at++) {
    const one = new Office({ startTimeoutsMs: [6_000] });
    await one.warmUp();
    if (one.pid === undefined) failed++;
    one.close();
  }
  stopBusy();
  return { what: `of ${starts} starts on a busy machine: failed`, value: failed, atMost: 0, unit: "" };
}

async function measurePreview(organizationId: string): Promise<Limited> {
  say("opening a template, and looking at it");
  const ctx = systemContext(organizationId, "bench");
  const settings = { name: "Supply agreement", contractType: "MSA", ourRole: "VENDOR" } as const;
  const template = await templateIn(ctx, ["{customer} buys {goods} from {vendor}."], settings);
  await preparePreview();
  await sleep(readingMs);
  const value = await timed(() => previewTemplate(ctx, Filling.parse({ templateId: template.id })));
  office().close();
  return {
    what: "first preview of a template, 4 s after its page was opened",
    value,
    atMost: 2_000,
    unit: "ms",
  };
}

async function measureQueue(
  organizationId: string,
  ownerId: string,
  work: () => ReturnType<typeof startWorker>,
): Promise<Limited[]> {
  say(`waiting for ${queued} documents`);
  const ctx = systemContext(organizationId, "bench");
  const contract = await createContract(ctx, {
    title: "Fifty versions",
    type: "MSA",
    ourRole: "CUSTOMER",
    ownerId,
  } as never);
  for (let at = 0; at < queued; at++) {
    const stored = await store(organizationId, docx([`Version ${at}`, ...paragraphs.slice(0, 10)]));
    await addVersion(ctx, {
      ...{
        contractId: contract.id,
        source: "UPLOADED",
        fileName: `agreement-${at}.docx`,
        contentType: docxType,
      },
      ...stored,
    });
  }
  const pending = async () =>
    (await withQueuePositions(await listVersions(ctx, contract.id))).filter(
      ({ pdfState }) => pdfState === "PENDING",
    );
  const places = new Set((await pending()).map(({ documentsAhead }) => documentsAhead));
  places.delete(null);
  const worker = work();
  try {
    const allMs = await timed(async () => {
      while ((await pending()).length > 0) await sleep(100);
    });
    return [
      {
        what: `of ${queued} that wait: without a place in the queue`,
        value: queued - places.size,
        atMost: 0,
        unit: "",
      },
      { what: `of ${queued} that wait: until all are rendered`, value: allMs, unit: "ms" },
    ];
  } finally {
    await worker.close();
  }
}
