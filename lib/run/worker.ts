/** `npm run worker`: runs background work without a server, for servers with WORKER=off. */

import { disconnect } from "#lib/core/db.ts";
import { BadSetting, provideDefaults, settings } from "#lib/core/env.ts";
import { refuseReadable } from "#lib/documents/sandbox/sandbox.ts";
import { prepareDatabase } from "./database.ts";
import { followDatabaseClock } from "./database-clock.ts";
import { provideSecretKey } from "./embedded.ts";
import { openMetrics } from "./ports/metrics.ts";
import { openTracing } from "./ports/tracing.ts";
import { checkSigningKey } from "./signing-key.ts";
import { startWorker } from "./tasks.ts";
import { hideDeprecations, ignoreBrokenPipe, limitStop, onStopSignal } from "./terminal.ts";

const say = (line: string) => process.stderr.write(`countersign worker: ${line}\n`);

const giveUp = () => process.exit(1);

async function work(): Promise<void> {
  // A worker sends the webhooks without knowing who can reach the servers, so private addresses are off by default.
  provideDefaults({ WEBHOOK_ALLOW_PRIVATE: "0" });
  const { DATABASE_URL, DATA_DIR } = settings();
  if (!DATABASE_URL) {
    throw new BadSetting("DATABASE_URL: a separate worker needs the database that the servers use");
  }
  refuseReadable(DATA_DIR);
  await checkSigningKey();
  provideSecretKey(say);
  await prepareDatabase(say);
  const tracing = await openTracing();
  const stopClock = await followDatabaseClock();
  const worker = await startWorker();
  const metrics = await openMetrics();
  const stop = async () => {
    say("stopping: running jobs are finished first");
    limitStop(giveUp);
    await worker.stop();
    await metrics.close();
    await tracing.close();
    stopClock();
    await disconnect();
  };
  onStopSignal(() => void stop(), giveUp);
  say(`webhooks may${settings().WEBHOOK_ALLOW_PRIVATE ? "" : " not"} go to private addresses`);
  say("ready");
}

ignoreBrokenPipe();
hideDeprecations();
work().catch((error) => {
  say(error instanceof Error ? error.message : String(error));
  process.exit(error instanceof BadSetting ? 2 : 1);
});
