/** Every observed way in which a database or a disk fails is recognized as an outage. */
import { expect, test } from "@playwright/test";
import { Refusal } from "#lib/core/errors.ts";
import { outageOf } from "./outage.ts";

const error = (message: string, more: object = {}) => Object.assign(new Error(message), more);

test("an unreachable, stopping or full database is recognized as an outage, whichever layer reports it", () => {
  const deaths = [
    error("connect ECONNREFUSED 127.0.0.1:5432", {
      code: "ECONNREFUSED",
      syscall: "connect",
      address: "127.0.0.1",
    }),
    new AggregateError([error("", { code: "ECONNREFUSED" })], ""),
    error("read ECONNRESET", { code: "ECONNRESET", syscall: "read" }),
    error("getaddrinfo EAI_AGAIN db", { code: "EAI_AGAIN", syscall: "getaddrinfo" }),
    error("Connection terminated unexpectedly"),
    error("Connection terminated due to connection timeout", { cause: new Error("timeout") }),
    error("Client has encountered a connection error and is not queryable"),
    error("timeout exceeded when trying to connect"),
    error("terminating connection due to administrator command", { code: "57P01" }),
    error("the database system is starting up", { code: "57P03" }),
    // Messages may be in another language, depending on the server's locale.
    error("Verbindung wird abgebrochen", { code: "57P01" }),
    error("das Datenbanksystem startet", { code: "57P03" }),
    error("sorry, too many clients already", { code: "53300" }),
    error('could not extend file "base/5/1": No space left on device', { code: "53100" }),
    error("could not read block", { code: "58030" }),
    error("Verbindung wird abgebrochen", { code: "25P03" }),
    error("cannot execute INSERT in a read-only transaction", { code: "25006" }),
    error("Raw query failed. Code: `57P01`. Message: `terminating connection`", { code: "P2010" }),
    error("Raw query failed", {
      code: "P2010",
      meta: { driverAdapterError: { cause: { originalCode: "53100" } } },
    }),
    error("DatabaseNotReachable", { name: "DriverAdapterError", cause: { kind: "DatabaseNotReachable" } }),
    error("Server has closed the connection.", { code: "P1017" }),
    error("Timed out fetching a new connection", { code: "P2024" }),
    error("Transaction API error: Unable to start a transaction in the given time.", { code: "P2028" }),
    error("an error within", { cause: error("broken", { cause: { code: "ECONNRESET" } }) }),
    error("deadlock detected", { code: "40P01" }),
  ];
  for (const death of deaths) expect(outageOf(death), death.message).toBe("database");
});

test("a full or read-only disk and an unreachable file store are recognized as a storage outage", () => {
  for (const code of ["ENOSPC", "EDQUOT", "EROFS", "EIO", "EMFILE", "EACCES", "EPERM"]) {
    expect(outageOf(error(`${code}: write`, { code, syscall: "write", path: "/x" })), code).toBe("files");
  }
  const s3 = error("connect ECONNREFUSED", { code: "ECONNREFUSED", $metadata: { attempts: 3 } });
  expect(outageOf(s3)).toBe("files");
});

test("a programming error is not recognized as an outage", () => {
  const mistakes = [
    new TypeError("x is not a function"),
    error("no such file", { code: "ENOENT", syscall: "open" }),
    error("duplicate key value violates unique constraint", { code: "23505" }),
    error('column "x" does not exist', { code: "42703" }),
    error("Unique constraint failed", { code: "P2002" }),
    error("53100 rows were wrong"),
    "a text",
    null,
  ];
  for (const mistake of mistakes) expect(outageOf(mistake), String(mistake)).toBeNull();
});

test("an error with a Refusal's name and code is a Refusal, even from another copy of the class", () => {
  expect(error("of pages", { name: "Refusal", code: "not_found" })).toBeInstanceOf(Refusal);
  expect(new Refusal("not_found", "x")).toBeInstanceOf(Refusal);
  expect(new Error("x")).not.toBeInstanceOf(Refusal);
  expect({ name: "Refusal" }).not.toBeInstanceOf(Refusal);
});
