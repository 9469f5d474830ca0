/** What a page has of an operation: what it reads, and how it acts. */
import type { ApiProblem, InputOf, OperationName, OutputOf } from "#lib/doors/client.ts";

/** `contracts`, `sessions`, … */
export type Namespace = OperationName extends infer Name
  ? Name extends `${infer N}.${string}`
    ? N
    : never
  : never;

/** What an operation answered while the server rendered. */
export interface Answered {
  name: OperationName;
  input: unknown;
  output: unknown;
  /** It is the first page of a feed. */
  isFeed?: boolean;
}

export interface Reading<Output> {
  /** Undefined until the first answer. */
  data: Output | undefined;
  error: ApiProblem | null;
  /** What is shown is what was asked for before. */
  isPrevious: boolean;
  isFetching: boolean;
  again(): void;
}

export interface ReadingOptions<Latest = never> {
  /** False: not asked yet. */
  enabled?: boolean;
  /** While another input is on its way, the answer to the one before stays. */
  keepPrevious?: boolean;
  /** How soon it is asked again while someone looks; null: only when something changed it. */
  everyMs?: number | null | ((latest: Latest) => number | null);
}

export interface Feed<Page> extends Omit<Reading<Page[]>, "data"> {
  /** The pages so far, the newest first; undefined until the first answer. */
  pages: Page[] | undefined;
  /** Reads the next older page; null at the end. */
  older: (() => void) | null;
  isLoadingOlder: boolean;
}

/** What is remembered of answers, to be changed before the server has said so. */
export interface Memory {
  /** Changes every remembered answer of an operation. */
  revise<Name extends OperationName>(name: Name, revise: (answer: OutputOf<Name>) => OutputOf<Name>): void;
}

export interface ActOptions<Name extends OperationName> {
  /** What it may have changed: single operations, or all of a namespace. */
  invalidates?: readonly (OperationName | Namespace)[];
  /** Shows the outcome at once; it is taken back when the server refuses. */
  optimistic?(input: InputOf<Name>, memory: Memory): void;
  /** Puts what the answer tells into the memory, where another operation would tell the same. */
  learn?(answer: OutputOf<Name>, memory: Memory): void;
  /** A form that shows refusals itself says false; else, and once that form is gone, a toast tells of them. */
  tellsRefusals?: boolean;
}

export interface Act<Name extends OperationName> {
  run(input: InputOf<Name>): Promise<OutputOf<Name>>;
  isRunning: boolean;
}
