/** Types for reading and acting through operations in pages. */
import type { ApiProblem, InputOf, OperationName, OutputOf } from "#lib/doors/client.ts";

/** The first part of an operation's name: `contracts`, `sessions`, … */
export type Namespace = OperationName extends infer Name
  ? Name extends `${infer N}.${string}`
    ? N
    : never
  : never;

/** The result of an operation that the server ran while rendering the page. */
export interface ServerResult {
  name: OperationName;
  input: unknown;
  output: unknown;
  /** Whether it is the first page of a feed. */
  isFeed?: boolean;
}

export interface Reading<Output> {
  /** Undefined until the first response. */
  data: Output | undefined;
  error: ApiProblem | null;
  /** Whether the data still belongs to the previous input. */
  isPrevious: boolean;
  isFetching: boolean;
  refetch(): void;
}

export interface ReadingOptions<Latest = never> {
  /** Whether to send the request already; true by default. */
  enabled?: boolean;
  /** Whether to keep the previous input's data while the next one's is loading. */
  keepPrevious?: boolean;
  /** The polling interval while the page is visible; null to refetch only after a change. */
  everyMs?: number | null | ((latest: Latest) => number | null);
}

export interface Feed<Page> extends Omit<Reading<Page[]>, "data"> {
  /** The pages so far, newest first; undefined until the first response. */
  pages: Page[] | undefined;
  /** Loads the next older page; null at the end. */
  older: (() => void) | null;
  isLoadingOlder: boolean;
}

/** The cached responses, for actions to update: optimistically, or from their own response. */
export interface ResponseCache {
  /** Updates every cached response of an operation. */
  updateAll<Name extends OperationName>(name: Name, revise: (answer: OutputOf<Name>) => OutputOf<Name>): void;
}

export interface ActOptions<Name extends OperationName> {
  /** What to refetch afterwards: single operations or whole namespaces. */
  invalidates?: readonly (OperationName | Namespace)[];
  /** Updates the cache optimistically; reverted if the server refuses. */
  optimistic?(input: InputOf<Name>, memory: ResponseCache): void;
  /** Stores the response as that of another operation that would return the same. */
  learn?(answer: OutputOf<Name>, memory: ResponseCache): void;
  /**
   * Whether a toast shows errors; true by default. False for a form that shows them itself, in which case a
   * toast shows only those that arrive after the form has unmounted.
   */
  showsErrors?: boolean;
}

export interface Act<Name extends OperationName> {
  run(input: InputOf<Name>): Promise<OutputOf<Name>>;
  isRunning: boolean;
}
