/**
 * Access to PostgreSQL: one connection pool for Prisma and for the few statements written as SQL. `db` can only read;
 * writing takes a change (change.ts), so an unrecorded write does not compile.
 */
import { PrismaPg } from "@prisma/adapter-pg";
import { type CustomTypesConfig, type Pool, type PoolConfig, types } from "pg";
import { Prisma, PrismaClient } from "#prisma/generated/client.ts";
import { openPool as poolOf, sessionSettings, socketWithIdleTimeout } from "./connections/pool.ts";
import { longestReadMs, ReplicaState, type Where } from "./connections/replica.ts";
import { directDatabaseUrl, settings } from "./env.ts";

/** Names statements: the same text always gets the same name, so that a connection prepares it once. */
function namer() {
  const names = new Map<string, string>();
  return (text: string): string => {
    const known = names.get(text);
    // Filters produce an unbounded number of texts; past this many, the rest is sent unprepared.
    if (known !== undefined || names.size >= 500) return known ?? "";
    const name = `p${names.size}`;
    names.set(text, name);
    return name;
  };
}

/**
 * Opens another pool for background work, so that requests keep their connections. The caller must end it. It bypasses
 * a pooler, so that the queue receives its notifications.
 */
export function openPool(max: number): Pool {
  return poolOf({ ...inSession(directDatabaseUrl()), max });
}

/** Options in the database's address take precedence over ours. */
function inSession(url: string | undefined): PoolConfig {
  if (!url) return {};
  const own = Object.entries(sessionSettings).map(([name, value]) => `-c ${name}=${value}`);
  const asked = new URL(url).searchParams.get("options") ?? "";
  // Passed separately from the address: pg would use only the address's options if both had some.
  const connectionString = url.replace(/([?&])options=[^&#]*&?/, "$1");
  return { connectionString, options: [...own, asked].join(" ").trim() };
}

/** A pooler accepts no options; the role has them instead (lib/run/database.ts). */
const perhapsPooled = (url: string | undefined): PoolConfig =>
  settings().DATABASE_DIRECT_URL && url ? { connectionString: url } : inSession(url);

/** Prisma's default would give up after five seconds, which a busy database may take. */
const transactionOptions = { maxWait: 10_000, timeout: 60_000 };

function connect() {
  const { DATABASE_URL, DATABASE_POOL, DATABASE_PREPARED } = settings();
  const pool = poolOf({ ...perhapsPooled(DATABASE_URL), max: DATABASE_POOL, stream: socketWithIdleTimeout });
  const isPrepared = DATABASE_PREPARED === "on";
  const nameOf = isPrepared ? namer() : () => "";
  const adapter = new PrismaPg(pool, isPrepared ? { statementNameGenerator: ({ sql }) => nameOf(sql) } : {});
  return { pool, prisma: new PrismaClient({ adapter, transactionOptions }), nameOf };
}

/** Statements are sent unnamed, so that each is planned for its actual values, which suits lists. */
function connectReplica(connectionString: string) {
  const { DATABASE_POOL } = settings();
  const pool = poolOf({
    ...perhapsPooled(connectionString),
    ...{ max: DATABASE_POOL, stream: socketWithIdleTimeout, connectionTimeoutMillis: 1000 },
  });
  return { pool, prisma: new PrismaClient({ adapter: new PrismaPg(pool) }), state: new ReplicaState() };
}

let primary: ReturnType<typeof connect> | undefined;
let replica: ReturnType<typeof connectReplica> | undefined;

/** Only for core: writes outside changes are housekeeping (housekeeping.ts). */
export function database(): ReturnType<typeof connect> {
  primary ??= connect();
  return primary;
}

/** The pool's connections: busy, idle, and how many requests wait for one. */
export function poolState(): Record<"busy" | "idle" | "awaited", number> {
  const pool = primary?.pool;
  if (!pool) return { busy: 0, idle: 0, awaited: 0 };
  return { busy: pool.totalCount - pool.idleCount, idle: pool.idleCount, awaited: pool.waitingCount };
}

/** A change's transaction (change.ts). */
export type Transaction = Prisma.TransactionClient;

type Reads =
  | "findUnique"
  | "findUniqueOrThrow"
  | "findFirst"
  | "findFirstOrThrow"
  | "findMany"
  | "count"
  | "aggregate"
  | "groupBy";
type Model = Uncapitalize<Prisma.ModelName>;

/** What is allowed outside a change: reading. */
export type Reader = { [M in Model]: Pick<PrismaClient[M], Reads> } & Pick<PrismaClient, "$queryRaw">;

export const db: Reader = new Proxy({} as Reader, {
  get: (_, name) => Reflect.get(database().prisma, name),
});

/** Converts PostgreSQL's text straight to wire form: no Date is created for a value that is only passed on. */
const wireTypes: CustomTypesConfig = {
  getTypeParser(oid: number, format?: string) {
    if (oid === types.builtins.TIMESTAMPTZ) return timestampFromText;
    if (oid === types.builtins.DATE) return (text: string) => `${text}T00:00:00.000Z`;
    if (oid === types.builtins.JSON || oid === types.builtins.INT8) return (text: string) => text;
    return types.getTypeParser(oid, format as "text");
  },
};

/** `2026-01-31 09:30:00.5+00` as `2026-01-31T09:30:00.500Z`. The session's time zone is UTC. */
export function timestampFromText(text: string): string {
  const fraction = text.slice(20, -3);
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction.padEnd(3, "0")}Z`;
}

/** When a statement is planned: once, or each time with its actual values, if the best plan depends on them. */
export type PlanMode = "once" | "with its values";

/** Runs one statement without Prisma, for paths where the overhead was measured to matter. */
export async function query<Row extends object>(
  text: string,
  values: unknown[],
  planned: PlanMode = "once",
): Promise<Row[]> {
  const { pool, nameOf } = database();
  const name = planned === "once" ? nameOf(text) : "";
  return (await pool.query<Row>({ name, text, values, types: wireTypes })).rows;
}

/** Whether the database rejected a statement because of its data or a constraint, so that it had no effect. */
export function wasRejected(error: unknown): boolean {
  return /^(22|23|40|P0)/.test(String(Object(error).code));
}

/**
 * Reads on the replica, in one snapshot in which the workspace has reached the change number `seq`. Undefined if there
 * is no replica, it is behind, or it cannot be reached.
 */
export async function readReplica<T>(
  { organizationId, seq }: { organizationId: string; seq: number },
  read: (tx: Transaction) => Promise<T>,
  isAnswer: (error: unknown) => boolean,
): Promise<{ result: T } | undefined> {
  const { DATABASE_READ_URL } = settings();
  if (DATABASE_READ_URL === undefined) return undefined;
  replica ??= connectReplica(DATABASE_READ_URL);
  const { prisma, state } = replica;
  const readIn = (hasAnswered: () => void) =>
    prisma.$transaction(
      async (tx) => {
        const [head] = await tx.$queryRaw<{ seq: bigint }[]>`
          SELECT seq FROM workspace_heads WHERE organization_id = ${organizationId}`;
        hasAnswered();
        return head && head.seq >= seq ? { result: await read(tx) } : null;
      },
      { isolationLevel: "RepeatableRead", maxWait: 1000, timeout: longestReadMs },
    );
  return state.ask(readIn, isAnswer);
}

/** The number of reads that the replica may answer, by where they were sent, since the process started. */
export function replicaReads(): Partial<Record<Where, number>> {
  return replica?.state.counts ?? {};
}

/** Closes the pools after running statements have finished. */
export async function disconnect(): Promise<void> {
  const open = [primary, replica];
  primary = undefined;
  replica = undefined;
  for (const one of open) {
    await one?.prisma.$disconnect();
    if (one && !one.pool.ended) await one.pool.end();
  }
}

export { Prisma };
