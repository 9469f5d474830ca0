/**
 * The product as it runs on several machines, here on one: haproxy, two servers and two workers, a primary with its
 * standby behind PgBouncer, Redis, an S3 server, a mail server and a webhook receiver. Between the product and these
 * services are proxy addresses, at which connections can be cut.
 */
import { spawnSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { workspaceIn } from "../admin.ts";
import { type Mailbox, openMailbox } from "../mailbox.ts";
import { pgbouncer, poolerIsUp } from "../pgbouncer.ts";
import { type Receiver, startReceiver } from "../receiver.ts";
import { freePort, node, root } from "../server.ts";
import {
  type Address,
  type DatabaseServer,
  openAddress,
  type Replicated,
  startReplicated,
} from "../standby.ts";
import { balancer } from "./balancer.ts";
import { answers, type Part, part } from "./part.ts";

export interface Cluster {
  /** The balancer's URL. */
  url: string;
  key: string;
  ownerId: string;
  organizationId: string;
  /** For operator commands. */
  environment: Record<string, string>;
  parts: Record<"balancer" | "pooler" | "redis" | "files", Part> &
    Record<"servers" | "workers", [Part, Part]>;
  addresses: Record<"database" | "pooler" | "redis" | "files", Address>;
  /** The ports that those addresses forward to. */
  ports: Record<"pooler" | "redis" | "files", number>;
  mailbox: Mailbox;
  receiver: Receiver;
  databases: Replicated;
  /** The server that currently accepts writes. */
  primary(): DatabaseServer;
  /** Sets whether the S3 server works normally, is full, or is slow. */
  setFiles(condition: "well" | "full" | "slow"): Promise<void>;
  /** Kills the primary and promotes the standby. Can be done only once. */
  promote(): Promise<void>;
  close(): Promise<void>;
}

/** The size of the primary's disk: several times what it writes in a round. */
const diskMegabytes = 512;

/** Whether this system lets tests mount a disk. */
export const canMount =
  process.getuid?.() === 0 &&
  spawnSync("unshare", ["--mount", "mount", "-t", "tmpfs", "none", tmpdir()]).status === 0;

/** The product's servers and workers, from this tree or from a copy with a bug. */
export interface Product {
  /** The tree's folder. */
  path: string;
  /** Additional environment variables for its processes. */
  environment: Record<string, string>;
}

const ours: Product = { path: root, environment: {} };

export async function startCluster(product = ours): Promise<Cluster> {
  await using closing = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), "countersign-cluster-"));
  closing.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }));
  const open = async <One extends { close(): void | Promise<void> }>(opening: Promise<One>) => {
    const one = await opening;
    closing.defer(() => one.close());
    return one;
  };
  const databases = await open(startReplicated(canMount ? diskMegabytes : undefined));
  const mailbox = await open(openMailbox());
  const receiver = await open(startReceiver(() => 204));
  const ports = await Promise.all(Array.from({ length: 6 }, () => freePort()));
  const [balancerPort, poolerPort, redisPort, filesPort, ...serverPorts] = ports as [
    ...[number, number, number, number, number, number],
  ];
  const addresses = {
    database: await open(openAddress(databases.primary.port)),
    pooler: await open(openAddress(poolerPort)),
    redis: await open(openAddress(redisPort)),
    files: await open(openAddress(filesPort)),
  };
  const url = `http://127.0.0.1:${balancerPort}`;
  const direct = addresses.database.urlOf(databases.primary.url);
  const environment = {
    ...{ DATABASE_URL: addresses.pooler.urlOf(databases.primary.url), DATABASE_DIRECT_URL: direct },
    ...{ DATABASE_PREPARED: "off", REDIS_URL: `redis://127.0.0.1:${addresses.redis.port}` },
    ...{ STORAGE: "s3://files/cluster", S3_ENDPOINT: `http://127.0.0.1:${addresses.files.port}` },
    ...{ S3_ACCESS_KEY_ID: "S3RVER", S3_SECRET_ACCESS_KEY: "S3RVER", SMTP_URL: mailbox.url },
    ...{ SECRET_KEY: "x".repeat(40), BASE_URL: url, TRUSTED_PROXIES: "1", DRAIN_SECONDS: "2", SEED: "none" },
    // Counted by Redis, and never reached.
    ...{ RATE_LIMIT_PER_MINUTE: "1000000", SIGN_IN_ATTEMPTS: "0", MAILS_PER_ADDRESS_PER_HOUR: "0" },
    ...{ WEBHOOK_ALLOW_PRIVATE: "1", WEBHOOK_RETRY_SCHEDULE: `0.3,${Array(80).fill("1").join(",")}` },
    ...{ WEBHOOK_TIMEOUT_SECONDS: "5", WORKER: "off", LOG_LEVEL: "warn", DATA_DIR: join(folder, "data") },
  };
  const program = (
    name: string,
    path: string,
    own: Record<string, string>,
    isReady: (s: string) => boolean | Promise<boolean>,
  ) =>
    part(name, {
      command: [node, "--import", "./e2e/strict.ts", path],
      env: { ...environment, ...product.environment, ...own },
      cwd: product.path,
      isReady,
    });
  const server = (port: number, index: number) =>
    program(
      `server ${index + 1}`,
      "lib/run/start.ts",
      { PORT: String(port), DATA_DIR: join(folder, `server-${index}`) },
      () => answers(`http://127.0.0.1:${port}/readyz`),
    );
  const worker = (index: number) =>
    program(`worker ${index}`, "lib/run/worker.ts", { DATA_DIR: join(folder, `worker-${index}`) }, (said) =>
      said.includes("ready"),
    );
  const parts: Cluster["parts"] = {
    balancer: balancer(balancerPort, serverPorts),
    pooler: await pooler(folder, poolerPort, direct),
    redis: part("Redis", {
      command: [
        ...(["redis-server", "--bind", "127.0.0.1", "--port", String(redisPort)] as [string, ...string[]]),
        ...["--save", "", "--daemonize", "no", "--dir", folder],
      ],
      isReady: (said) => said.includes("Ready to accept connections"),
    }),
    files: part("the S3 server", {
      command: [node, join(root, "e2e", "s3-server.ts"), join(folder, "s3"), String(filesPort)],
      isReady: (said) => said.includes("ready"),
    }),
    servers: serverPorts.map(server) as [Part, Part],
    workers: [worker(1), worker(2)],
  };
  const all = Object.values(parts).flat();
  let primary = databases.primary;
  closing.defer(async () => void (await Promise.all(all.map((one) => one.close()))));
  await Promise.all([parts.pooler, parts.redis, parts.files].map((one) => one.start()));
  const workspace = await workspaceIn(environment);
  await Promise.all([...parts.servers, ...parts.workers, parts.balancer].map((one) => one.start()));
  const toClose = closing.move();
  return {
    ...{ url, ...workspace, ownerId: workspace.userId },
    ...{ environment, parts, addresses, mailbox, receiver, databases },
    ports: { pooler: poolerPort, redis: redisPort, files: filesPort },
    primary: () => primary,
    async setFiles(condition) {
      await fetch(`http://127.0.0.1:${filesPort}/condition/${condition}`, { method: "POST" });
    },
    async promote() {
      addresses.database.moveTo(0);
      await databases.primary.kill();
      await databases.promote();
      primary = databases.standby;
      addresses.database.moveTo(primary.port);
    },
    close: () => toClose.disposeAsync(),
  };
}

async function pooler(folder: string, port: number, directUrl: string): Promise<Part> {
  const limits = ["default_pool_size = 10", "server_login_retry = 1", "query_timeout = 20"];
  const { command, owner } = await pgbouncer(folder, port, directUrl, limits);
  return part("PgBouncer", { command, ...owner, isReady: (said) => said.includes(poolerIsUp) });
}
