/**
 * An observer of the running program, which may object: none in production. Tests use one (e2e/strict.ts) to fail on
 * mistakes that do no harm yet.
 */
import type { z } from "zod";
import type { Transaction } from "./db.ts";

/** Throwing is an objection: it rolls a change back and makes a request fail. */
export interface Observer {
  /** A change begins. Returns the transaction to use, and a function to call when its work is done. */
  changeBegins(tx: Transaction): { tx: Transaction; workEnds(isRecorded: boolean): void };
  /** Work on a document begins, so the caller waits for another process. */
  documentAwaited(lane: string): void;
  /** A change recorded an action that webhooks announce, without its resource. */
  resourceMissing(action: string): void;
  /** An operation failed: returns the error to throw. */
  operationFails(operation: { summary: string; errors: readonly string[] }, error: unknown): unknown;
  /** A response was serialized by its schema. */
  answerSerialized(schema: z.core.$ZodType, text: string): void;
}

let looking: Observer | undefined;

export function setObserver(observer: Observer): void {
  looking = observer;
}

export function observer(): Observer | undefined {
  return looking;
}
