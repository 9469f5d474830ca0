/** The types with which pages read and act through operations. */
import type { ApiProblem, InputOf, OperationName, OutputOf } from "#lib/doors/client.ts";

/** `contracts`, `sessions`, … */
export type Namespace = OperationName extends infer Name
  ? Name extends `${infer N}.${string}`
    ? N
    : never
  : never;

/** The result of an operation while the server rendered the page. */
export interface Answered {
  name: OperationName;
  input: unknown;
  output: unknown;
  /** It is the first page of a feed. */
  isFeed?: boolean;
}

export interface Reading<Output> {
  /** Undefined until the first response. */
  data: Output | undefined;
  error: ApiProblem | null;
  /** The data is still that of the previous input. */
  isPrevious: boolean;
  isFetching: boolean;
  again(): void;
}

export interface ReadingOptions<Latest = never> {
  /** False: not requested yet. */
  enabled?: boolean;
  /** Keep the previous input's data while the next one loads. */
  keepPrevious?: boolean;
  /** How often it is refetched while the page is visible; null: only after a change. */
  everyMs?: number | null | ((latest: Latest) => number | null);
}

export interface Feed<Page> extends Omit<Reading<Page[]>, "data"> {
  /** The pages so far, newest first; undefined until the first response. */
  pages: Page[] | undefined;
  /** Reads the next older page; null at the end. */
  older: (() => void) | null;
  isLoadingOlder: boolean;
}

/** The cached responses, to be updated before the server has responded. */
export interface Memory {
  /** Updates every cached response of an operation. */
  revise<Name extends OperationName>(name: Name, revise: (answer: OutputOf<Name>) => OutputOf<Name>): void;
}

export interface ActOptions<Name extends OperationName> {
  /** What to refetch afterwards: single operations, or all of a namespace. */
  invalidates?: readonly (OperationName | Namespace)[];
  /** Shows the result at once; reverted if the server refuses. */
  optimistic?(input: InputOf<Name>, memory: Memory): void;
  /** Stores the response in the cache of another operation that would return the same. */
  learn?(answer: OutputOf<Name>, memory: Memory): void;
  /** False for a form that shows errors itself; otherwise, and once the form is gone, a toast shows them. */
  tellsRefusals?: boolean;
}

export interface Act<Name extends OperationName> {
  run(input: InputOf<Name>): Promise<OutputOf<Name>>;
  isRunning: boolean;
}
