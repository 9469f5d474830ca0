/** Compares the API with the reference server: the same database, the same client, in turns. */
import { availableParallelism, cpus } from "node:os";
import { openDatabase } from "./database.ts";
import { type Flags, say } from "./flags.ts";
import { closeOnInterrupt } from "./interrupt.ts";
import { judged, type Limited } from "./limits.ts";
import { connectionCount, measure, type Plan, type Target } from "./measure.ts";
import { type Operation, operationsOf } from "./operations.ts";
import { type Flatness, json, type Row, table } from "./report.ts";
import { expectSameAnswers } from "./same.ts";
import { type Seeded, type Size, seeded } from "./seed.ts";
import { type Server, startBare, startProduct } from "./servers.ts";
import { Writer } from "./writer.ts";

export async function apiBench(flags: Flags): Promise<void> {
  const closing = new AsyncDisposableStack();
  await using _ = closing;
  closeOnInterrupt(closing);
  const database = await openDatabase(flags.keep);
  closing.defer(() => database.close());
  const sizes: Size[] = flags.large ? ["small", "main", "large"] : ["small", "main"];
  const seeds = await seeded(database, sizes);
  const main = seeds.main!;
  const servers = [await startBare(database.url)];
  closing.defer(() => servers[0]!.close());
  servers.push(await startProduct(database.url, flags.server));
  closing.defer(() => servers[1]!.close());
  await expectSameAnswers(servers, main);
  say("both servers give the same answers");
  const run = { seconds: flags.seconds, rounds: flags.rounds, databasePid: database.pid };
  const rows: Row[] = [];
  for (const operation of operationsOf(main).filter((one) => isWanted(one, flags.only))) {
    await using writer = await openWriter(database.url, operation.changing ? main : undefined);
    rows.push(...(await compare(operation, servers, { ...run, around: writer.around })));
  }
  const isFlat = "flatness".includes(flags.only);
  const flatness = isFlat
    ? await measureFlatness(servers[1]!, seeds, { ...run, around: (slice) => slice() })
    : [];
  const limits = limitsOf(rows);
  const figures = judged(limits);
  process.stdout.write(
    flags.json
      ? json({ rows, flatness, machine: machine(flags), limits })
      : `${table(rows, flatness)}${figures}`,
  );
}

/** Limits relative to the reference, for writes and uncached reads; and one on the server's memory. */
function limitsOf(rows: Row[]): Limited[] {
  const held = Math.max(0, ...rows.filter(({ server }) => server !== "bare").map(({ rssMb }) => rssMb ?? 0));
  return [
    ...["create", "patch", "read one"].flatMap((op) => ratios(rows, op)),
    { what: "memory of the server at most", value: held, atMost: 280, unit: "MB" },
  ];
}

function ratios(rows: Row[], wanted: string): Limited[] {
  const [bare, product] = rows.filter(({ op, temperature }) => op === wanted && temperature === "cold");
  if (!bare || !product) return [];
  const cpu = (bare.cpuMsPer1000 ?? 1) / (product.cpuMsPer1000 ?? 1);
  return [
    { what: `${wanted}, cold: requests a second, of those of bare`, value: product.ratio },
    { what: `${wanted}, cold: requests for one processor time, of those of bare`, value: cpu },
  ].map((figure) => ({ ...figure, atLeast: 1, unit: "", digits: 2 }));
}

const isWanted = ({ name, temperature }: Operation, only: string) => `${name} ${temperature}`.includes(only);

async function compare(operation: Operation, servers: Server[], plan: Plan): Promise<Row[]> {
  const { name, temperature, status, next } = operation;
  const figures = await measure(
    servers.map((server) => ({ server, status, next })),
    plan,
  );
  const rows = servers.map((server, index) => ({
    ...{ op: name, temperature, server: server.name },
    ...figures[index]!,
    ratio: figures[index]!.rps / figures[0]!.rps,
  }));
  say(
    `${name}, ${temperature}: ${rows.map((row) => `${row.server} ${Math.round(row.rps)}`).join(", ")} req/s`,
  );
  return rows;
}

/** Runs a slice while a writer changes the workspace, at the same pace for every server. */
async function openWriter(url: string, workspace: Seeded | undefined) {
  if (!workspace) {
    return { around: (slice: () => Promise<void>) => slice(), [Symbol.asyncDispose]: async () => undefined };
  }
  const writer = new Writer(url, workspace);
  await writer.connect();
  return {
    async around(slice: () => Promise<void>) {
      writer.start();
      await slice();
      await writer.stop();
    },
    [Symbol.asyncDispose]: () => writer.close(),
  };
}

/** Measures whether the first page costs the same, however many contracts there are. */
async function measureFlatness(
  server: Server,
  seeds: Partial<Record<Size, Seeded>>,
  plan: Plan,
): Promise<Flatness[]> {
  const contracts = { small: 1_000, main: 100_000, large: 1_000_000 };
  const sizes = (["small", "main", "large"] as const).filter((size) => seeds[size]);
  const targets = sizes.map((size): Target => {
    const { next, status } = operationsOf(seeds[size]!)[0]!;
    return { server, status, next };
  });
  const figures = await measure(targets, plan);
  const cost = (index: number) => figures[index]!.cpuMsPer1000 ?? 1 / figures[index]!.rps;
  return sizes.map((size, index) => ({
    contracts: contracts[size],
    rps: figures[index]!.rps,
    cpuMsPer1000: figures[index]!.cpuMsPer1000,
    cost: cost(index) / cost(0),
  }));
}

function machine({ seconds, rounds }: Flags) {
  return {
    cpu: cpus()[0]?.model ?? null,
    cores: availableParallelism(),
    node: process.version,
    connections: connectionCount,
    seconds,
    rounds,
  };
}
