/**
 * On Ctrl-C, closes what was opened before exiting: otherwise an embedded PostgreSQL would outlive the bench. npm sends
 * the signal a second time, which is ignored.
 */
export function closeOnInterrupt(closing: AsyncDisposableStack): void {
  let isEnding = false;
  const end = () => {
    if (isEnding) return;
    isEnding = true;
    // Work that still uses what is being closed fails; such errors tell nothing and are ignored.
    for (const kind of ["uncaughtException", "unhandledRejection"]) process.on(kind, () => undefined);
    closing
      .disposeAsync()
      .catch((error) => console.error(error))
      .finally(() => process.exit(130));
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, end);
}
