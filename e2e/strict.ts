/**
 * Makes tests fail on mistakes that do no harm in production yet: a change that wrote something and recorded nothing,
 * one that holds a connection while a document is read without declaring it, an event that is recorded without its
 * resource, an error that an operation does not list, a response that does not match its schema. Programs load it with
 * `node --import` (strictly, in server.ts), tests through their fixtures.
 */
import type { z } from "zod";
import { mayAwaitDocuments } from "#lib/core/change.ts";
import type { Transaction } from "#lib/core/db.ts";
import { Refusal } from "#lib/core/errors.ts";
import { type Observer, setObserver } from "#lib/core/observer.ts";

const writes = /^(create|update|upsert|delete)|^\$executeRaw/;

const writesInSql = /\b(INSERT INTO|DELETE FROM|UPDATE \w+( \w+)? SET)\b/;

/** A statement that is called a query may also write. */
const isWrite = (name: string, [sql]: unknown[]) =>
  writes.test(name) || (name.startsWith("$queryRaw") && writesInSql.test(String(sql)));

async function noting(running: Promise<unknown>, wrote: () => void): Promise<unknown> {
  const result = await running;
  const { count, length } = Object(result) as { count?: number; length?: number };
  if (result !== 0 && count !== 0 && length !== 0) wrote();
  return result;
}

/** Wraps the transaction and reports every call that wrote at least one row. */
function watched(tx: Transaction, wrote: () => void): Transaction {
  const watch = (target: object): object =>
    new Proxy(target, {
      get(_, name) {
        const value = Reflect.get(target, name, target);
        // A response stored for an idempotency key does not mean that something changed.
        if (typeof name !== "string" || name === "idempotencyRecord") return value;
        if (typeof value === "function") {
          return (...args: unknown[]) => {
            const result = value.apply(target, args);
            return isWrite(name, args) ? noting(result, wrote) : result;
          };
        }
        return value && typeof value === "object" && !name.startsWith("$") ? watch(value) : value;
      },
    });
  return watch(tx) as Transaction;
}

/** The errors that any operation may return: any input can be invalid, and the server can be busy. */
const everybodys = ["validation_error", "unavailable"];

const strict: Observer = {
  changeBegins(bare) {
    let wrote = false;
    return {
      tx: watched(bare, () => (wrote = true)),
      workEnds(isRecorded) {
        if (wrote && !isRecorded) throw new Error("A change wrote something and recorded nothing.");
      },
    };
  },
  documentAwaited(lane) {
    if (mayAwaitDocuments()) return;
    throw new Error(
      `A change waits in the lane "${lane}", and its operation does not say that it awaits documents.`,
    );
  },
  resourceMissing(action) {
    throw new Error(`${action} is recorded without its resource.`);
  },
  operationFails({ summary, errors }, error) {
    if (!(error instanceof Refusal) || [...everybodys, ...errors].includes(error.code)) return error;
    return new Error(`"${summary}" does not list its error ${error.code}.`, { cause: error });
  },
  answerSerialized(schema, text) {
    (schema as z.ZodType).parse(JSON.parse(text));
  },
};

setObserver(strict);
