/**
 * A change: a transaction that writes its own history. What it does, the audit events that say so and the
 * webhook events that tell of it commit together or not at all.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { isDeepStrictEqual } from "node:util";
import type { Context } from "./context.ts";
import { database, db, type Planned, query, type Reader, type Transaction } from "./db.ts";
import { Refusal } from "./errors.ts";
import {
  type Action,
  auditLists,
  auditRow,
  type Changes,
  type Entry,
  prepareHistory,
  type Recorded,
  withHistory,
  withHistoryOfMany,
} from "./history.ts";
import { observer } from "./observer.ts";
import { wire } from "./wire.ts";

/** What a patch makes different, for the database and for the log. */
export function differences<Fields extends object>(before: NoInfer<Fields>, patch: Fields) {
  const changed = Object.entries(patch).flatMap(([name, to]) => {
    const from: unknown = before[name as keyof Fields];
    return to === undefined || isDeepStrictEqual(from, to) ? [] : [{ name, from, to }];
  });
  const changes: Changes = Object.fromEntries(changed.map(({ name, from, to }) => [name, { from, to }]));
  const fields = Object.fromEntries(changed.map(({ name, to }) => [name, to]));
  return { fields: fields as { [K in keyof Fields]?: Exclude<Fields[K], undefined> }, changes };
}

const excerptLength = 200;

/** A long text as the log tells it: what it was about, not every version of it. */
export function excerpt(text: string | null | undefined): string | null {
  if (!text || text.length <= excerptLength) return text ?? null;
  return `${text.slice(0, excerptLength).toWellFormed()}…`;
}

export type Recorder = (entry: Entry) => void;

/** Something that others are told of. */
export interface Happening {
  ctx: Context;
  /** The event's type. */
  type: string;
  /** The resource as REST returns it, under its name: {contract: …}. */
  resource: Record<string, unknown>;
  /** What the fields that changed were before. */
  previous: Record<string, unknown> | null;
  /** For this endpoint alone, whatever it subscribed to. */
  only?: string | undefined;
}

/** Who tells others of changes. */
export interface Listener {
  /** The event that an action is, and whether there was nothing before it; null where no one is told. */
  eventOf(action: Action): { type: string; begins: boolean } | null;
  /** Writes what happened in the change's transaction; answers the deliveries' ids. */
  write(tx: Transaction, happenings: Happening[]): Promise<string[]>;
}

let listener: Listener | undefined;

/** To be called once in a process, before its first change. */
export function listen(to: Listener): void {
  listener = to;
}

function listening(): Listener {
  if (!listener) throw new Error("No one tells of changes here: import lib/events/listen.ts.");
  return listener;
}

interface Open {
  tx: Transaction;
  history: Recorded[];
  happenings: Happening[];
  /** What was written is told of elsewhere than in the log, or was told there before. */
  announced: boolean;
  /** Work on documents may be awaited in it. */
  awaitsDocuments: boolean;
}

/** The change that the running code is part of: what it calls joins it. */
const open = new AsyncLocalStorage<Open>();

/** What to read with: inside a change its transaction, so that it sees its own writes. */
export function reader(): Reader | Transaction {
  return open.getStore()?.tx ?? db;
}

/** Long enough for any request on a busy machine. What an operator does to thousands of rows says so itself. */
const usualTimeoutMs = 60_000;

interface ChangeOptions {
  timeoutMs?: number;
  /** What keeps others waiting, and so is left for the moment before the history is written. Not in a change in a change. */
  atTheEnd?: (tx: Transaction) => Promise<void>;
  /** Whether work on documents may be awaited in it, which takes seconds: who calls sees to it that few do at once. */
  awaitsDocuments?: boolean;
}

/**
 * Runs `work` in a transaction, or in the one that is open, and writes what it recorded into the audit log
 * before the commit. `work` must record something if it wrote something; throwing undoes it all, and so does
 * taking longer than `timeoutMs`.
 */
export async function change<T>(
  ctx: Context,
  work: (tx: Transaction, record: Recorder) => Promise<T>,
  { timeoutMs = usualTimeoutMs, atTheEnd, awaitsDocuments = false }: ChangeOptions = {},
): Promise<T> {
  const outer = open.getStore();
  if (outer) return work(outer.tx, recorderOf(ctx, outer));
  const running = database().prisma.$transaction(
    async (bare) => {
      const observed = observer()?.changeBegins(bare);
      const tx = observed?.tx ?? bare;
      const current: Open = { tx, history: [], happenings: [], announced: false, awaitsDocuments };
      const result = await open.run(current, () => work(tx, recorderOf(ctx, current)));
      observed?.workEnds(current.history.length > 0 || current.announced);
      // Before the history, which holds the end of the audit chain until the commit.
      if (current.happenings.length > 0) await listening().write(tx, current.happenings);
      const writeHistory = await prepareHistory(tx, current.history);
      await atTheEnd?.(tx);
      await writeHistory();
      return result;
    },
    { maxWait: 10_000, timeout: timeoutMs },
  );
  return running.catch((error) => {
    throw hasLostRace(error) ? new Refusal("unavailable", lostRace, soon) : error;
  });
}

const soon = { headers: { "retry-after": "1" } };
const lostRace = "Someone else is changing or deleting the same thing at this moment. Try again.";

/** What a change refers to, or writes, was deleted while it went on, or two changes waited for each other. */
function hasLostRace(error: unknown): boolean {
  // What it says may quote anything that someone has typed.
  if (error instanceof Refusal) return false;
  const { code, message, cause } = Object(error) as { code?: unknown; message?: unknown; cause?: unknown };
  if (code === "P2003" || code === "P2025" || code === "P2034") return true;
  const { originalCode } = Object(cause) as { originalCode?: unknown };
  return originalCode === "40P01" || /\b(23503|40P01)\b|deadlock detected/.test(String(message));
}

function recorderOf(ctx: Context, { history, happenings }: Open): Recorder {
  return (entry) => {
    history.push({ ctx, entry });
    const { action, resource } = entry;
    const event = listening().eventOf(action);
    if (!event || entry.isInternal) return;
    if (resource && ctx.hasListeners !== false) {
      const previous = event.begins ? null : previousOf(entry);
      happenings.push({ ctx, type: event.type, resource, previous });
    }
    if (!resource) observer()?.resourceMissing(action);
  };
}

/** What the changed fields of something that was there already were before. */
function previousOf({ changes, before }: Entry): Happening["previous"] {
  if (!changes) return null;
  const fields = Object.entries(changes);
  return Object.fromEntries(
    fields.map(([name, { from }]) => [name, before && name in before ? Reflect.get(before, name) : from]),
  );
}

/** Tells, inside a change, of what no action did: time, or a request for a test. Answers the deliveries' ids. */
export async function announce(happenings: Happening[]): Promise<string[]> {
  const current = open.getStore();
  if (!current) throw new Error("Only a change can announce something.");
  current.announced = true;
  return listening().write(current.tx, happenings);
}

/** Says, inside a change, that what it writes is told elsewhere than in the log, or was told there before. */
export function withoutAudit(): void {
  const current = open.getStore();
  if (!current) throw new Error("Only a change can go without the log.");
  current.announced = true;
}

/**
 * A change that no action of the log stands for: it writes down what follows from something recorded already,
 * such as the PDF of a document version. Nothing that a person decided may be written with it.
 */
export async function derive<T>(
  ctx: Context,
  work: (tx: Transaction) => Promise<T>,
  limits: { timeoutMs?: number } = {},
): Promise<T> {
  return change(
    ctx,
    async (tx) => {
      withoutAudit();
      return work(tx);
    },
    limits,
  );
}

/** Runs one SELECT, inside the open change if there is one. Rows come in wire form: no Date, no BigInt. */
export async function select<Row extends object>(
  sql: string,
  values: unknown[],
  planned?: Planned,
): Promise<Row[]> {
  const tx = open.getStore()?.tx;
  if (!tx) return query<Row>(sql, values, planned);
  return wire(await tx.$queryRawUnsafe(sql, ...values)) as Row[];
}

/** Runs what only reads in this transaction, such as a replica's. */
export function readIn<T>(tx: Transaction, read: () => Promise<T>): Promise<T> {
  return open.run({ tx, history: [], happenings: [], announced: false, awaitsDocuments: false }, read);
}

/** Whether the running code is part of a change: what it reads must then be read there. */
export function isInChange(): boolean {
  return open.getStore() !== undefined;
}

/** Whether the running code may wait for work on documents: not in a change that holds a connection unasked. */
export function mayAwaitDocuments(): boolean {
  return open.getStore()?.awaitsDocuments ?? true;
}

/** Whether a change would be one of its own, and no webhook would have to tell of it: one statement is then enough. */
export function isAlone(ctx: Context): boolean {
  return !isInChange() && ctx.hasListeners === false;
}

/**
 * Many changes of a workspace that are each alone, in one statement. `ctes` as of changeInOneStatement, but `written` has
 * a row for each contract that was written; of the others, no history is written either.
 */
export async function changeManyInOneStatement<Row extends object>(
  ctes: string,
  values: unknown[],
  history: Recorded[],
): Promise<Row[]> {
  return query<Row>(withHistoryOfMany(ctes, values.length + 1), [...values, ...auditLists(history)]);
}

/**
 * A change that is one statement, for the paths where a transaction's round trips cost too much. `ctes` are
 * common table expressions, the last of them `written`, with at most one row, which comes in wire form;
 * parameters carry their casts ($1::text). The audit event is written exactly if there is a row.
 * Inside an open change it joins it: its history is then written at the end, like any other. And where a
 * webhook may have to tell of it, `resourceOf` the row, it is a change like any other too.
 */
export async function changeInOneStatement<Row extends object>(
  ctx: Context,
  ctes: string,
  values: (string | number | boolean | null)[],
  entry: Entry,
  resourceOf: (row: Row) => Record<string, unknown>,
): Promise<Row | undefined> {
  if (!isAlone(ctx)) {
    return change(ctx, async (tx, record) => {
      const [row] = wire(await tx.$queryRawUnsafe(`WITH ${ctes} SELECT * FROM written`, ...values)) as Row[];
      if (row) record({ ...entry, resource: resourceOf(row) });
      return row;
    });
  }
  const rows = await query<Row>(withHistory(ctes, values.length + 1), [...values, ...auditRow(ctx, entry)]);
  return rows[0];
}
