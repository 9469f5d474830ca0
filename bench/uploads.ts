/** Uploads: the memory that many large concurrent ones take, and what remains after 200 kills of the server. */
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { pdfOfSize } from "#e2e/corpus/pdf.ts";
import { form } from "#e2e/documents.ts";
import { apiWith } from "#e2e/fixtures.ts";
import { startServer } from "#e2e/server.ts";
import { uploadInstallation } from "#e2e/upload-installation.ts";
import { filesOnDisk, killDuringUploads } from "#e2e/upload-kills.ts";
import { type Flags, say } from "./flags.ts";
import { rssMb } from "./processes.ts";

const uploads = 16;
const uploadBytes = 50 * 1024 * 1024;
const kills = 200;

/** Runs those of `memory` and `kills` whose name contains --only. */
export async function uploadsBench({ only, json }: Flags): Promise<void> {
  const figures = {
    ...("memory".includes(only) ? { memory: await measureMemory() } : {}),
    ...("kills".includes(only) ? { kills: await measureKills() } : {}),
  };
  process.stdout.write(json ? `${JSON.stringify(figures)}\n` : table(figures));
}

const ownMb = (pid: number) =>
  Number(/^VmRSS:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1] ?? 0) / 1024;

/** Uploads different files concurrently, as forms. Measures the server's own memory and that of its children. */
async function measureMemory() {
  if (process.platform !== "linux") throw new TypeError("Memory is read from /proc, which only Linux has.");
  const installation = await uploadInstallation();
  const server = await startServer(installation.environment);
  try {
    const pid = server.process.pid!;
    const api = apiWith(installation.key, server.url);
    const body = { title: "Bench", type: "NDA", ourRole: "VENDOR", ownerId: installation.ownerId };
    const { id } = (await api("POST /contracts", { body })).body.contract;
    const upload = async (mark: string) => {
      const document = {
        fileName: "a.pdf",
        contentType: "application/pdf",
        bytes: pdfOfSize(uploadBytes, mark),
      };
      const reply = await api(`POST /contracts/${id}/versions`, form(document));
      if (reply.status !== 201) throw new Error(`The server answered ${reply.status}: ${reply.text}`);
    };
    await sleep(1000);
    const idleMb = ownMb(pid);
    let [peakMb, childrenMb] = [idleMb, 0];
    const looking = setInterval(() => {
      const own = ownMb(pid);
      peakMb = Math.max(peakMb, own);
      childrenMb = Math.max(childrenMb, (rssMb(pid) ?? own) - own);
    }, 50);
    const began = performance.now();
    await Promise.all(Array.from({ length: uploads }, (_, index) => upload(`${index} of them`)));
    clearInterval(looking);
    const seconds = (performance.now() - began) / 1000;
    say(`${uploads} uploads of ${uploadBytes} bytes took ${seconds.toFixed(1)} s`);
    return { uploads, uploadBytes, idleMb, peakMb, addedMb: peakMb - idleMb, childrenMb, seconds };
  } finally {
    await server.stop();
    await installation.close();
  }
}

async function measureKills() {
  const installation = await uploadInstallation();
  try {
    const tell = (kill: number, acknowledged: number) => {
      if (kill % 20 === 0) say(`${kill} kills, ${acknowledged} uploads acknowledged`);
    };
    const { acknowledged, sent } = await killDuringUploads({ ...installation, kills, tell });
    const rows = await installation.select<{ id: string; sha256: string }>(
      "SELECT id, sha256 FROM document_versions",
    );
    const { whole, damaged } = await filesOnDisk(installation.dataDir);
    const ids = new Set(rows.map(({ id }) => id));
    const orphans = whole.size - new Set(rows.map(({ sha256 }) => sha256)).size;
    await installation.sweep();
    const left = (await filesOnDisk(installation.dataDir)).whole.size;
    return {
      kills,
      uploadsSent: sent,
      acknowledged: acknowledged.length,
      acknowledgedWithoutRow: acknowledged.filter(({ versionId }) => !ids.has(versionId)).length,
      rows: rows.length,
      rowsWithoutObject: rows.filter(({ sha256 }) => !whole.has(sha256)).length,
      damagedObjects: damaged.length,
      objectsWithoutRow: orphans,
      objectsWithoutRowAfterSweep: left - new Set(rows.map(({ sha256 }) => sha256)).size,
    };
  } finally {
    await installation.close();
  }
}

function table(figures: Record<string, Record<string, number>>): string {
  return Object.entries(figures)
    .map(([name, values]) => {
      const lines = Object.entries(values).map(([label, value]) => {
        const shown = Number.isInteger(value) ? value.toLocaleString("en-US") : value.toFixed(1);
        return `  ${label.padEnd(30)}${shown.padStart(14)}`;
      });
      return `${name}\n${lines.join("\n")}\n`;
    })
    .join("\n");
}
