/** Runs once in each Next server, before its first request. */
export async function register(): Promise<void> {
  // Next builds this file for the edge runtime as well, where there is no Node.
  if (process.env.NEXT_RUNTIME === "nodejs") {
    const { publish } = await import("#lib/run/publish.ts");
    publish();
  }
}
