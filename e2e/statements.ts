/** Records the statements that this process or a server sends to the database. */
import { connect, createServer } from "node:net";
import pg from "pg";

/** Returns the texts of all statements that `work` sent, without those that begin and end transactions. */
export async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  return (await queriesOf(work)).map(({ text }) => text);
}

/** Returns the same statements, with their values. */
export async function queriesOf(
  work: () => Promise<unknown>,
): Promise<{ text: string; values: unknown[] }[]> {
  const { prototype } = pg.Client;
  const { query } = prototype;
  const sent: { text: string; values: unknown[] }[] = [];
  prototype.query = function (this: pg.Client, ...args: Parameters<typeof query>) {
    const [asked, values] = args as unknown as [string | { text: string; values?: unknown[] }, unknown[]?];
    sent.push(
      typeof asked === "string"
        ? { text: asked, values: values ?? [] }
        : { text: asked.text, values: asked.values ?? values ?? [] },
    );
    return query.apply(this, args);
  } as typeof query;
  try {
    await work();
  } finally {
    prototype.query = query;
  }
  return sent.filter(({ text }) => !/^(BEGIN|COMMIT|ROLLBACK)/.test(text));
}

/** A step of a plan, as EXPLAIN (ANALYZE, FORMAT JSON) shows it. */
export interface Plan {
  "Relation Name"?: string;
  "Index Name"?: string;
  "Actual Rows": number;
  "Rows Removed by Filter"?: number;
  Plans?: Plan[];
}

interface Asked {
  text: string;
  /** The parameters, as sent. */
  values: string;
}

/** Opens an address for the database that records every statement that runs through it. */
export async function watchDatabase(url: string): Promise<{ url: string; asked: Asked[]; close(): void }> {
  const database = new URL(url);
  const asked: Asked[] = [];
  const proxy = createServer((client) => {
    const server = connect(Number(database.port), database.hostname);
    const read = reading((statement) => asked.push(statement));
    client.on("data", read).pipe(server).pipe(client);
    for (const socket of [client, server])
      socket.on("error", () => [client, server].map((one) => one.destroy()));
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const own = new URL(url);
  own.port = String((proxy.address() as { port: number }).port);
  return { url: own.href, asked, close: () => proxy.close() };
}

/** Follows PostgreSQL's protocol: Parse names a statement, Bind runs it. */
function reading(note: (statement: Asked) => void): (chunk: Buffer) => void {
  const texts = new Map<string, string>();
  let rest = Buffer.alloc(0);
  let hasBegun = false;
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    for (;;) {
      // The first message, which starts the connection, has no type.
      const typed = hasBegun ? 1 : 0;
      if (rest.length < typed + 4) return;
      const end = typed + rest.readInt32BE(typed);
      if (rest.length < end) return;
      const type = hasBegun ? String.fromCharCode(rest[0]!) : "";
      const parts = rest.toString("latin1", typed + 4, end).split("\0");
      if (type === "P") texts.set(parts[0]!, parts[1]!);
      if (type === "B") note({ text: texts.get(parts[1]!)!, values: parts.slice(2).join() });
      rest = rest.subarray(end);
      hasBegun = true;
    }
  };
}
