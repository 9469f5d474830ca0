/**
 * Recognizes errors that mean that the database, the disk or the file store is unavailable. Sockets, pg, Prisma and
 * PostgreSQL each report that differently, and wrap each other's errors.
 */

/** Returns what is unavailable according to an error; null if the error means something else. */
export function outageOf(error: unknown): "database" | "files" | null {
  for (const { codes, message, isOfFile, isOfStore } of layersOf(error)) {
    if (isOfStore || (isOfFile && codes.some((code) => diskCodes.has(code)))) return "files";
    if (codes.some((code) => databaseCodes.has(code) || sqlStates.test(code))) return "database";
    if (databaseWords.test(message)) return "database";
  }
  return null;
}

const diskCodes = new Set(["ENOSPC", "EDQUOT", "EROFS", "EIO", "EMFILE", "ENFILE", "EACCES", "EPERM"]);

/** Socket error codes, and those of Prisma (https://www.prisma.io/docs/orm/reference/error-reference). */
const databaseCodes = new Set([
  ...["ECONNREFUSED", "ECONNRESET", "ECONNABORTED", "EPIPE", "ETIMEDOUT", "ENOTFOUND", "EAI_AGAIN"],
  ...["EHOSTUNREACH", "ENETUNREACH"],
  ...["P1001", "P1002", "P1008", "P1011", "P1017", "P2024", "P2028", "P2034", "P2037"],
]);

/**
 * PostgreSQL's codes: no connection, insufficient resources, disk errors, shutting down, read-only, terminated while
 * idle; and conflicts between concurrent transactions, which a retry does not meet again.
 */
const sqlStates = /^(08\w{3}|53\w{3}|57P0\w|57014|58\w{3}|25006|25P03|40001|40P01|55P03)$/;

const databaseWords = new RegExp(
  [
    "Connection terminated",
    "Connection ended unexpectedly",
    "connection error and is not queryable",
    "was closed and is not queryable",
    "timeout exceeded when trying to connect",
    "timeout expired",
    "Cannot use a pool after calling end",
    "Can't reach database server",
    "Server has closed the connection",
    "the database system is (starting up|shutting down|in recovery|not yet accepting)",
    "terminating connection",
    "DatabaseNotReachable|ConnectionClosed|TooManyConnections|SocketTimeout",
    "^Transaction already closed",
    "Unable to start a transaction in the given time",
  ].join("|"),
);

interface Layer {
  codes: string[];
  message: string;
  /** A file operation failed, not a socket. */
  isOfFile: boolean;
  /** Thrown by the S3 client. */
  isOfStore: boolean;
}

interface ErrorLike {
  code?: unknown;
  originalCode?: unknown;
  kind?: unknown;
  message?: unknown;
  syscall?: unknown;
  address?: unknown;
  $metadata?: unknown;
  meta?: { code?: unknown; driverAdapterError?: unknown };
  cause?: unknown;
  errors?: unknown[];
}

/** An error, and the errors nested in it. */
function layersOf(error: unknown, depth = 0): Layer[] {
  if (error === null || typeof error !== "object" || depth > 5) return [];
  const { code, originalCode, kind, message, syscall, address, meta, cause, errors, $metadata } =
    error as ErrorLike;
  const text = typeof message === "string" ? message : "";
  const codes = [code, originalCode, kind, meta?.code, /Code: `(\w+)`/.exec(text)?.[1]];
  const layer = {
    codes: codes.filter((one) => typeof one === "string"),
    message: `${kind ?? ""} ${text}`.trim(),
    isOfFile: typeof syscall === "string" && address === undefined,
    isOfStore: $metadata !== undefined,
  };
  const within = [cause, meta?.driverAdapterError, ...(Array.isArray(errors) ? errors : [])];
  return [layer, ...within.flatMap((one) => layersOf(one, depth + 1))];
}
