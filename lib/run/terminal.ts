/**
 * Keeps a process going when whoever read its output is gone. Without a listener the broken pipe is an
 * uncaught exception, which Next reports on the same broken pipe, and so on: the process would spin for ever
 * and never get to its signals.
 */
export function outliveTerminal(): void {
  for (const output of [process.stdout, process.stderr]) output.on("error", () => undefined);
}

/**
 * What packages are to change is for those who update them here: whoever runs a server can do nothing about it. Node's own
 * flags show it (`--trace-deprecation`).
 */
export function sayNoDeprecations(): void {
  if (!process.traceDeprecation && !process.throwDeprecation) process.noDeprecation = true;
}
