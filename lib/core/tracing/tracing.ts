/**
 * The hook through which work is traced: none if this process sends no traces (lib/run/ports/tracing.ts). Shared by all
 * copies of this module, since Next bundles its own.
 */
export type Facts = Record<string, string | number>;

export interface Work {
  kind: "request" | "job" | "call";
  /** One of a fixed set, never a caller's text. */
  name: string;
  /** Reads a request's header by its lower-case name: a caller may name the trace it is part of. */
  header?: (name: string) => string | undefined;
  facts?: Facts;
}

export interface Span {
  rename(name: string): void;
  /** The HTTP status of the response, and more facts. */
  answered(status: number, facts?: Facts): void;
}

export type Trace = <T>(work: Work, run: (span?: Span) => Promise<T>) => Promise<T>;

let tracing: Trace | undefined;

export function traceBy(trace: Trace | undefined): void {
  tracing = trace;
}

/** Runs work as a span if traces are sent. Everything passed to it may leave the machine: no text, key or address. */
export function traced<T>(work: Work, run: (span?: Span) => Promise<T>): Promise<T> {
  return tracing ? tracing(work, run) : run();
}
