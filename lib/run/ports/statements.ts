/** Looks on while PostgreSQL works: every statement goes through these two, Prisma's too. */
import { AsyncResource } from "node:async_hooks";
import pg from "pg";

/** A statement begins, with its values as $1, $2, …; answers with what to call at its end, if anyone wants to know. */
type Begin = (text: string) => ((isDone: boolean) => void) | undefined;

type Callback = (error: unknown, ...rest: unknown[]) => void;
// biome-ignore lint/suspicious/noExplicitAny: they are called in several ways, and passed on as they were.
type Call = (...args: any[]) => any;

/** Answers with how to stop. */
export function watchStatements(begin: Begin): () => void {
  const [client, pool] = [pg.Client.prototype, pg.Pool.prototype] as unknown as [
    { query: Call },
    { connect: Call },
  ];
  const { query } = client;
  const { connect } = pool;
  client.query = function watched(this: unknown, ...args) {
    const text = typeof args[0] === "string" ? args[0] : args[0]?.text;
    // What submits itself, such as a COPY, is no statement with an end.
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
  // Whoever waited for a connection is called by whoever gave it back, and would be taken for it.
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
