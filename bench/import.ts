/** A long import while others work in the workspace: how long it takes, and how long the others wait. */
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { PDFDocument } from "#lib/documents/pdf/pdf-lib.ts";
import { openDatabase } from "./database.ts";
import { type Flags, say } from "./flags.ts";
import { Connection } from "./http-client.ts";
import { closeOnInterrupt } from "./interrupt.ts";
import { judged } from "./limits.ts";
import { createText } from "./operations.ts";
import { type Seeded, seeded, seedWorkspace } from "./seed.ts";
import { productSettings, type Server, startProduct } from "./servers.ts";

const rowCount = 20_000;
const documentCount = 300;

export async function importBench(flags: Flags): Promise<void> {
  await using closing = new AsyncDisposableStack();
  closeOnInterrupt(closing);
  const database = await openDatabase(flags.keep);
  closing.defer(() => database.close());
  const { main } = await seeded(database, ["small", "main"]);
  const server = await startProduct(database.url, flags.server);
  closing.defer(() => server.close());
  const folder = await mkdtemp(join(tmpdir(), "countersign-bench-import-"));
  closing.defer(() => rm(folder, { recursive: true, force: true }));
  const bring = importer(database.url, folder);

  const others = await Others.open(server, main!);
  const seconds = await bring(main!, rows(main!, rowCount));
  const { longestMs, count } = await others.stop();
  say(`beside the import of ${rowCount} rows there were ${count} other changes`);

  const fresh = await seedWorkspace(database.url, "new");
  await writeDocuments(folder);
  const withoutFiles = await bring(fresh, rows(fresh, documentCount));
  const withFiles = await bring(fresh, rows(fresh, documentCount, true));
  const perDocument = ((withFiles - withoutFiles) * 1000) / documentCount;
  process.stdout.write(
    judged(
      [
        {
          what: `import of ${rowCount.toLocaleString("en-US")} rows`,
          value: seconds,
          atMost: 30,
          unit: "s",
          digits: 1,
        },
        {
          what: "longest wait of the workspace's other changes meanwhile",
          value: longestMs,
          atMost: 1500,
          unit: "ms",
        },
        {
          what: `each of ${documentCount} documents beside the rows`,
          value: perDocument,
          atMost: 50,
          unit: "ms",
        },
      ],
      flags,
    ),
  );
}

/** Realistic rows: a third are in force, and every ten share a new counterparty. */
function rows({ userIds }: Pick<Seeded, "userIds">, count: number, withFiles = false): string {
  const lines = Array.from({ length: count }, (_, n) => {
    const status = n % 3 === 0 ? "ACTIVE" : n % 10 === 1 ? "EXPIRED" : "";
    const file = withFiles ? `${n}.pdf` : "";
    return `Bench import ${n},MSA,CUSTOMER,${userIds[n % userIds.length]},Party ${Math.floor(n / 10)},2026-03-01,12,${100_000 + n},USD,${status},${file}`;
  });
  const header =
    "title,type,ourRole,ownerId,counterpartyName,effectiveDate,termMonths,valueCents,valueCurrency,status,fileName";
  return [header, ...lines].join("\n");
}

/** Runs the operator's command in its own process. Returns how many seconds it took. */
function importer(url: string, folder: string) {
  return async ({ organizationId }: Pick<Seeded, "organizationId">, csv: string): Promise<number> => {
    const file = join(folder, "contracts.csv");
    await writeFile(file, csv);
    const started = performance.now();
    const command = ["lib/run/admin.ts", "import-contracts", "--organization", organizationId, "--csv", file];
    const { stdout } = await promisify(execFile)(process.execPath, [...command, "--files", folder], {
      env: { ...process.env, ...productSettings(url) },
    });
    const { contracts, errors } = JSON.parse(stdout);
    if (errors.length > 0) throw new Error(`The import was refused: ${stdout.slice(0, 1000)}`);
    const seconds = (performance.now() - started) / 1000;
    say(`imported ${contracts} contracts in ${seconds.toFixed(1)} s`);
    return seconds;
  };
}

async function writeDocuments(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (let n = 0; n < documentCount; n++) {
    const document = await PDFDocument.create();
    for (let page = 1; page <= 5; page++) {
      document
        .addPage()
        .drawText(`Agreement ${n}, page ${page}. The parties agree as follows.`, { x: 60, y: 700 });
    }
    await writeFile(join(folder, `${n}.pdf`), await document.save());
  }
}

const everyMs = 50;

/** Another user, who creates a contract every 50 ms, or as soon as the previous one is created. */
class Others {
  #longestMs = 0;
  #count = 0;
  #isOpen = true;
  #working: Promise<void>;

  private constructor(connection: Connection, workspace: Seeded) {
    this.#working = this.#work(connection, workspace);
  }

  static async open(server: Server, workspace: Seeded): Promise<Others> {
    return new Others(await Connection.open(server.port), workspace);
  }

  async stop(): Promise<{ longestMs: number; count: number }> {
    this.#isOpen = false;
    await this.#working;
    return { longestMs: this.#longestMs, count: this.#count };
  }

  async #work(connection: Connection, workspace: Seeded): Promise<void> {
    while (this.#isOpen) {
      const asked = performance.now();
      const { status, body } = await connection.ask(createText(workspace), true);
      if (status !== 201) throw new Error(`A creation beside the import was answered ${status}: ${body}`);
      const tookMs = performance.now() - asked;
      this.#longestMs = Math.max(this.#longestMs, tookMs);
      this.#count++;
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, everyMs - tookMs)));
    }
    connection.close();
  }
}
