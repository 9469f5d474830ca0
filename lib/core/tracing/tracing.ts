/**
 * Who is told of work while it is done: no one, where this process sends no traces (lib/run/ports/tracing.ts). Shared by
 * all copies of this module, for Next bundles its own.
 */
export type Facts = Record<string, string | number>;

export interface Work {
  kind: "request" | "job" | "call";
  /** From a fixed set, never a caller's text. */
  name: string;
  /** A request's header, by its lower-case name: a caller may say which trace it is part of. */
  header?: (name: string) => string | undefined;
  facts?: Facts;
}

export interface Span {
  rename(name: string): void;
  /** With a status of HTTP, and more. */
  answered(status: number, facts?: Facts): void;
}

export type Trace = <T>(work: Work, run: (span?: Span) => Promise<T>) => Promise<T>;

let tracing: Trace | undefined;

export function traceBy(trace: Trace | undefined): void {
  tracing = trace;
}

/**
 * Runs work as a span, if there are traces. Everything passed to it may leave the machine: no text, no key, no address.
 */
export function traced<T>(work: Work, run: (span?: Span) => Promise<T>): Promise<T> {
  return tracing ? tracing(work, run) : run();
}
