/**
 * What fails in tests, and in production does not, for it is wrong and harms no one yet: a change that wrote something
 * and recorded nothing, one that unasked holds a connection while a document is read, an error that an operation does
 * not list, an answer that its schema would refuse. Programs get it by `node --import` (strictly, in server.ts), tests by their fixtures.
 */
import type { z } from "zod";
import { mayAwaitDocuments } from "#lib/core/change.ts";
import type { Transaction } from "#lib/core/db.ts";
import { Refusal } from "#lib/core/errors.ts";
import { type Observer, observe } from "#lib/core/observer.ts";

const writes = /^(create|update|upsert|delete)|^\$executeRaw/;

/** The transaction, telling of every call that wrote at least one row. */
function watched(tx: Transaction, wrote: () => void): Transaction {
  const watch = (target: object): object =>
    new Proxy(target, {
      get(_, name) {
        const value = Reflect.get(target, name, target);
        // The answer that is kept under a request's key tells of no change: there may have been none.
        if (typeof name !== "string" || name === "idempotencyRecord") return value;
        if (typeof value === "function" && writes.test(name)) {
          return async (...args: unknown[]) => {
            const result = await value.apply(target, args);
            if (result !== 0 && result?.count !== 0) wrote();
            return result;
          };
        }
        if (typeof value === "function") return value.bind(target);
        return value && typeof value === "object" && !name.startsWith("$") ? watch(value) : value;
      },
    });
  return watch(tx) as Transaction;
}

/** What any operation may answer: any input can be wrong, and the machine be busy. */
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

observe(strict);
