/**
 * A change: a transaction that writes its own history. Its writes, its audit events and its webhook events commit
 * together or not at all.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { isDeepStrictEqual } from "node:util";
import type { Context } from "./context.ts";
import { database, db, type PlanMode, query, type Reader, type Transaction } from "./db.ts";
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
import { toJsonValue } from "./wire.ts";

/** The fields that a patch changes: for the database, and with their old values for the audit log. */
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

/** A long text, shortened for the audit log. */
export function excerpt(text: string | null | undefined): string | null {
  if (!text || text.length <= excerptLength) return text ?? null;
  return `${text.slice(0, excerptLength).toWellFormed()}…`;
}

export type Recorder = (entry: Entry) => void;

/** Something to announce to webhooks. */
export interface DomainEvent {
  ctx: Context;
  /** The event's type. */
  type: string;
  /** The resource as REST returns it, under its name: {contract: …}. */
  resource: Record<string, unknown>;
  /** The previous values of the fields that changed. */
  previous: Record<string, unknown> | null;
  /** Only for this endpoint, whatever it has subscribed to. */
  only?: string | undefined;
}

/** Turns recorded actions into webhook events. */
export interface Listener {
  /** The event type of an action, and whether its resource begins with it; null if no webhook is sent for it. */
  eventOf(action: Action): { type: string; begins: boolean } | null;
  /** Writes the events and their deliveries in the change's transaction; returns the deliveries' ids. */
  write(tx: Transaction, happenings: DomainEvent[]): Promise<string[]>;
}

let listener: Listener | undefined;

/** Registers the listener. Call it once in a process, before its first change. */
export function setListener(to: Listener): void {
  listener = to;
}

function listening(): Listener {
  if (!listener) throw new Error("No listener for changes is registered: import lib/events/listen.ts.");
  return listener;
}

interface OpenChange {
  tx: Transaction;
  history: Recorded[];
  happenings: DomainEvent[];
  /** The writes are announced or recorded elsewhere, so the audit log need not record them. */
  announced: boolean;
  /** Whether code in this change may wait for work on documents. */
  awaitsDocuments: boolean;
}

/** The change that the running code is part of; nested changes join it. */
const changeStorage = new AsyncLocalStorage<OpenChange>();

/** The client to read with: inside a change its transaction, so that it sees its own writes. */
export function reader(): Reader | Transaction {
  return changeStorage.getStore()?.tx ?? db;
}

/** Long enough for any request on a busy machine. Operators' bulk work sets its own. */
const usualTimeoutMs = 60_000;

interface ChangeOptions {
  timeoutMs?: number;
  /** Work that blocks others, run last, just before the history is written. Ignored in a nested change. */
  atTheEnd?: (tx: Transaction) => Promise<void>;
  /** Whether it may wait for work on documents, which takes seconds: callers limit how many do at once. */
  awaitsDocuments?: boolean;
}

/**
 * Runs `work` in a transaction, or in the one that is already open, and writes what it recorded to the audit log before
 * the commit. `work` must record something if it wrote something. If it throws or takes longer than `timeoutMs`,
 * everything is rolled back.
 */
export async function change<T>(
  ctx: Context,
  work: (tx: Transaction, record: Recorder) => Promise<T>,
  { timeoutMs = usualTimeoutMs, atTheEnd, awaitsDocuments = false }: ChangeOptions = {},
): Promise<T> {
  const outer = changeStorage.getStore();
  if (outer) return work(outer.tx, recorderOf(ctx, outer));
  const running = database().prisma.$transaction(
    async (bare) => {
      const observed = observer()?.changeBegins(bare);
      const tx = observed?.tx ?? bare;
      const current: OpenChange = { tx, history: [], happenings: [], announced: false, awaitsDocuments };
      const result = await changeStorage.run(current, () => work(tx, recorderOf(ctx, current)));
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

/** Whether a row that a change refers to or writes was deleted in the meantime, or two changes deadlocked. */
function hasLostRace(error: unknown): boolean {
  // Its message may quote user input, which could contain these codes.
  if (error instanceof Refusal) return false;
  const { code, message, cause } = Object(error) as { code?: unknown; message?: unknown; cause?: unknown };
  if (code === "P2003" || code === "P2025" || code === "P2034") return true;
  const { originalCode } = Object(cause) as { originalCode?: unknown };
  return originalCode === "40P01" || /\b(23503|40P01)\b|deadlock detected/.test(String(message));
}

function recorderOf(ctx: Context, { history, happenings }: OpenChange): Recorder {
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

/** The previous values of the changed fields of an existing resource. */
function previousOf({ changes, before }: Entry): DomainEvent["previous"] {
  if (!changes) return null;
  const fields = Object.entries(changes);
  return Object.fromEntries(
    fields.map(([name, { from }]) => [name, before && name in before ? Reflect.get(before, name) : from]),
  );
}

/** In a change: sends webhook events that no action caused, but a schedule or a test. Returns the deliveries' ids. */
export async function announce(happenings: DomainEvent[]): Promise<string[]> {
  const current = changeStorage.getStore();
  if (!current) throw new Error("Events can be announced only within a change.");
  current.announced = true;
  return listening().write(current.tx, happenings);
}

/** In a change: declares that its writes need no audit event, since they are or were recorded elsewhere. */
export function skipAudit(): void {
  const current = changeStorage.getStore();
  if (!current) throw new Error("Only a change can skip the audit log.");
  current.announced = true;
}

/**
 * A change without an audit event: it stores what follows from something already recorded, such as the PDF of a
 * document version. Never use it for anything that a person decided.
 */
export async function changeUnaudited<T>(
  ctx: Context,
  work: (tx: Transaction) => Promise<T>,
  limits: { timeoutMs?: number } = {},
): Promise<T> {
  return change(
    ctx,
    async (tx) => {
      skipAudit();
      return work(tx);
    },
    limits,
  );
}

/** Runs one SELECT, inside the open change if there is one. Rows come in wire form: no Date, no BigInt. */
export async function select<Row extends object>(
  sql: string,
  values: unknown[],
  planned?: PlanMode,
): Promise<Row[]> {
  const tx = changeStorage.getStore()?.tx;
  if (!tx) return query<Row>(sql, values, planned);
  return toJsonValue(await tx.$queryRawUnsafe(sql, ...values)) as Row[];
}

/** Runs read-only code in this transaction, such as one on a replica. */
export function readIn<T>(tx: Transaction, read: () => Promise<T>): Promise<T> {
  return changeStorage.run(
    { tx, history: [], happenings: [], announced: false, awaitsDocuments: false },
    read,
  );
}

/** Whether the running code is part of a change and so has to read in its transaction. */
export function isInChange(): boolean {
  return changeStorage.getStore() !== undefined;
}

/** Whether running code may wait for work on documents: not in a change that did not ask for it. */
export function mayAwaitDocuments(): boolean {
  return changeStorage.getStore()?.awaitsDocuments ?? true;
}

/** Whether a change would be neither nested nor announced to webhooks, so that one statement is enough for it. */
export function isStandalone(ctx: Context): boolean {
  return !isInChange() && ctx.hasListeners === false;
}

/**
 * Makes many independent changes of a workspace in one statement. `ctes` as in changeInOneStatement, but `written` has
 * a row for each contract that was written; for the others, no history is written either.
 */
export async function changeManyInOneStatement<Row extends object>(
  ctes: string,
  values: unknown[],
  history: Recorded[],
): Promise<Row[]> {
  return query<Row>(withHistoryOfMany(ctes, values.length + 1), [...values, ...auditLists(history)]);
}

/**
 * Makes a change as one statement, for paths where a transaction's round trips cost too much. `ctes` are common table
 * expressions, the last of them `written`, with at most one row, which is returned in wire form; parameters carry their
 * casts ($1::text). The audit event is written if and only if there is a row. Inside an open change it joins that
 * change, and its history is written at the end as usual. If a webhook may have to be sent, it runs as an ordinary
 * change, whose resource is `resourceOf` the row.
 */
export async function changeInOneStatement<Row extends object>(
  ctx: Context,
  ctes: string,
  values: (string | number | boolean | null)[],
  entry: Entry,
  resourceOf: (row: Row) => Record<string, unknown>,
): Promise<Row | undefined> {
  if (!isStandalone(ctx)) {
    return change(ctx, async (tx, record) => {
      const [row] = toJsonValue(
        await tx.$queryRawUnsafe(`WITH ${ctes} SELECT * FROM written`, ...values),
      ) as Row[];
      if (row) record({ ...entry, resource: resourceOf(row) });
      return row;
    });
  }
  const rows = await query<Row>(withHistory(ctes, values.length + 1), [...values, ...auditRow(ctx, entry)]);
  return rows[0];
}
