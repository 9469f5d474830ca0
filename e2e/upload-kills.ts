/** Uploads to a server that is killed again and again: what was acknowledged, and what is on disk. */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pdfOfSize } from "./corpus/pdf.ts";
import { form, uploadJson } from "./documents.ts";
import { apiWith } from "./fixtures.ts";
import { randomNumbers } from "./random.ts";
import { startServer } from "./server.ts";

export interface Acknowledged {
  versionId: string;
  sha256: string;
}

interface Victim {
  environment: Record<string, string>;
  key: string;
  ownerId: string;
  kills: number;
  /** Called after each kill. */
  tell?(kill: number, acknowledged: number): void;
}

const clients = 4;

/** Starts the server, lets clients upload, and kills it after a random time; repeats this `kills` times. */
export async function killDuringUploads({ environment, key, ownerId, kills, tell }: Victim) {
  const acknowledged: Acknowledged[] = [];
  const random = randomNumbers("upload kills");
  let sent = 0;
  for (let kill = 1; kill <= kills; kill++) {
    const server = await startServer(environment);
    const api = apiWith(key, server.url);
    const body = { title: "Killed", type: "NDA", ourRole: "VENDOR", ownerId };
    const made = await api("POST /contracts", { body });
    const { id } = made.body.contract;
    const upload = async (client: number) => {
      for (;;) {
        sent++;
        const bytes = pdfOfSize(Math.round(20_000 + random() ** 4 * 8_000_000), `${kill} ${sent}`);
        const document = { fileName: "a.pdf", contentType: "application/pdf", bytes };
        const path = `POST /contracts/${id}/versions` as const;
        const asked = client % 2 ? uploadJson(api, id, document) : api(path, form(document));
        const reply = await asked.catch(() => null);
        if (reply?.status !== 201) return;
        const { id: versionId, sha256 } = reply.body.version;
        acknowledged.push({ versionId, sha256 });
      }
    };
    const uploading = Promise.all(Array.from({ length: clients }, (_, client) => upload(client)));
    // Kills it in the middle of uploads, however slow the machine is: some are done, others in flight.
    const enough = acknowledged.length + Math.floor(random() * 4);
    const giveUpAt = Date.now() + 15_000;
    while (acknowledged.length < enough && Date.now() < giveUpAt) await sleep(10);
    await sleep(random() * 700);
    await server.stop("SIGKILL");
    await uploading;
    tell?.(kill, acknowledged.length);
  }
  return { acknowledged, sent };
}

/** Returns the stored files of a data folder whose content matches their names, and those whose content does not. */
export async function filesOnDisk(dataDir: string): Promise<{ whole: Set<string>; damaged: string[] }> {
  const folder = join(dataDir, "files");
  const whole = new Set<string>();
  const damaged: string[] = [];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const hash = createHash("sha256");
    for await (const chunk of createReadStream(join(entry.parentPath, entry.name))) hash.update(chunk);
    if (hash.digest("hex") === entry.name) whole.add(entry.name);
    else damaged.push(entry.name);
  }
  return { whole, damaged };
}
