/**
 * Has Ctrl-C, which npm passes on a second time, close what is open first: an embedded PostgreSQL would outlive a bench that
 * just ends.
 */
export function closeOnInterrupt(closing: AsyncDisposableStack): void {
  let isEnding = false;
  const end = () => {
    if (isEnding) return;
    isEnding = true;
    closing.disposeAsync().finally(() => process.exit(130));
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, end);
}
