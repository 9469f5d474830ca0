/**
 * The hook through which work is traced: none if this process sends no traces (lib/run/ports/tracing.ts). Shared by all
 * copies of this module, since Next bundles its own.
 */
export type SpanAttributes = Record<string, string | number>;

export interface SpanOptions {
  kind: "request" | "job" | "call";
  /** One of a fixed set, never a caller's text. */
  name: string;
  /** Reads a request's header by its lower-case name: a caller may name the trace it is part of. */
  header?: (name: string) => string | undefined;
  facts?: SpanAttributes;
}

export interface Span {
  rename(name: string): void;
  /** The HTTP status of the response, and more facts. */
  recordResponse(status: number, facts?: SpanAttributes): void;
}

export type Trace = <T>(work: SpanOptions, run: (span?: Span) => Promise<T>) => Promise<T>;

let tracer: Trace | undefined;

export function setTracer(trace: Trace | undefined): void {
  tracer = trace;
}

/** Runs work as a span if traces are sent. Everything passed to it may leave the machine: no text, key or address. */
export function withSpan<T>(work: SpanOptions, run: (span?: Span) => Promise<T>): Promise<T> {
  return tracer ? tracer(work, run) : run();
}
