/**
 * Has Ctrl-C, which npm passes on a second time, close first what was opened: an embedded PostgreSQL would outlive a bench
 * that just ends.
 */
export function closeOnInterrupt(closing: AsyncDisposableStack): void {
  let isEnding = false;
  const end = () => {
    if (isEnding) return;
    isEnding = true;
    // Who is at work with what is closed fails with it, and says nothing of use.
    for (const kind of ["uncaughtException", "unhandledRejection"]) process.on(kind, () => undefined);
    closing
      .disposeAsync()
      .catch((error) => console.error(error))
      .finally(() => process.exit(130));
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, end);
}
