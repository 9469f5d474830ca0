import pg from "pg";

/**
 * Runs `work` on a connection of its own, outside any pool. `application` is the connection's name in PostgreSQL's
 * lists.
 */
export async function withClient<T>(
  url: string | undefined,
  application: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  if (!url) throw new Error("There is no database.");
  const client = new pg.Client({ connectionString: url, application_name: application });
  client.on("error", () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}
