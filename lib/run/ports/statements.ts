/** Observes SQL statements by wrapping two methods of pg that all statements use, Prisma's too. */
import { AsyncResource } from "node:async_hooks";
import pg from "pg";

/**
 * Called when a statement begins. `text` has $1, $2, … instead of values. Returns what to call at its end, if anything.
 */
type Begin = (text: string) => ((isDone: boolean) => void) | undefined;

type Callback = (error: unknown, ...rest: unknown[]) => void;
// biome-ignore lint/suspicious/noExplicitAny: both have several signatures, and arguments are passed on unchanged.
type Call = (...args: any[]) => any;

/** Calls `begin` for each statement. Returns a function that stops it. */
export function watchStatements(begin: Begin): () => void {
  const [client, pool] = [pg.Client.prototype, pg.Pool.prototype] as unknown as [
    { query: Call },
    { connect: Call },
  ];
  const { query } = client;
  const { connect } = pool;
  client.query = function watched(this: unknown, ...args) {
    const text = typeof args[0] === "string" ? args[0] : args[0]?.text;
    // Submittable queries, such as COPY, have no end that could be observed here.
    const end = typeof text === "string" && !args[0].submit ? begin(text) : undefined;
    if (!end) return query.apply(this, args);
    const last = args.at(-1);
    if (typeof last === "function") return query.apply(this, [...args.slice(0, -1), after(last, end)]);
    const result = query.apply(this, args);
    result?.then?.(
      () => end(true),
      () => end(false),
    );
    return result;
  };
  // pg runs the callback of a waiting caller in the async context of whoever released the connection. This restores the
  // waiting caller's own context.
  pool.connect = function watched(this: unknown, ...args) {
    return connect.apply(
      this,
      args.map((arg) => (typeof arg === "function" ? AsyncResource.bind(arg) : arg)),
    );
  };
  return () => {
    client.query = query;
    pool.connect = connect;
  };
}

const after =
  (callback: Callback, end: (isDone: boolean) => void): Callback =>
  (error, ...rest) => {
    end(!error);
    callback(error, ...rest);
  };
