/**
 * Who looks on while this program works, and may object: in production no one does. Tests do (e2e/strict.ts), to fail
 * where something is only wrong and harms no one yet.
 */
import type { z } from "zod";
import type { Transaction } from "./db.ts";

/** Throwing is an objection: a change is undone by it, and a request fails. */
export interface Observer {
  /** A change begins: with what it is to write, and whom to tell when its work is done. */
  changeBegins(tx: Transaction): { tx: Transaction; workEnds(isRecorded: boolean): void };
  /** Work on a document begins: a process will be waited for. */
  documentAwaited(lane: string): void;
  /** A change recorded an action that others are to be told of, without the resource that they are told. */
  resourceMissing(action: string): void;
  /** An operation failed: answers what to throw. */
  operationFails(operation: { summary: string; errors: readonly string[] }, error: unknown): unknown;
  /** An answer was printed by its schema. */
  answerSerialized(schema: z.core.$ZodType, text: string): void;
}

let looking: Observer | undefined;

export function observe(observer: Observer): void {
  looking = observer;
}

export function observer(): Observer | undefined {
  return looking;
}
