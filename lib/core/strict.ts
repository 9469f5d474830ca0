/** Tests only (STRICT=on): a change that wrote something and recorded nothing fails. */
import type { Transaction } from "./db.ts";

const writes = /^(create|update|upsert|delete)|^\$executeRaw/;

/** The transaction, telling of every call that wrote at least one row. */
export function watched(tx: Transaction, wrote: () => void): Transaction {
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
