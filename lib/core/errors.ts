/** The errors of the service, and the HTTP status of each code. */

/** The codes of the public API. */
export const publicStatusOf = {
  invalid_body: 400,
  missing_api_key: 401,
  invalid_api_key: 401,
  subscription_inactive: 402,
  seat_limit_reached: 402,
  insufficient_scope: 403,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  invalid_transition: 409,
  duplicate_document: 409,
  signed_pdf_not_ready: 409,
  unsigned_pdf_not_ready: 409,
  already_member: 409,
  already_invited: 409,
  last_owner: 409,
  approval_needed: 409,
  envelope_open: 409,
  idempotency_key_reused: 409,
  idempotency_in_progress: 409,
  conflict: 409,
  precondition_failed: 412,
  file_too_large: 413,
  unsupported_media_type: 415,
  range_not_satisfiable: 416,
  validation_error: 422,
  rate_limited: 429,
  internal_error: 500,
  unavailable: 503,
} as const;

/** The public codes, and those that only the members' door returns, never the REST API. */
export const statusOf = {
  ...publicStatusOf,
  // Nobody is signed in, or not any longer.
  signed_out: 401,
  // The person belongs to no workspace, or no longer to the chosen one.
  no_workspace: 403,
  // The password has to be entered again first (sessions.confirmPassword).
  password_needed: 403,
  // The page was opened by another person, or in another workspace, than the session has now.
  session_changed: 409,
} as const;

export type PublicErrorCode = keyof typeof publicStatusOf;
export type ErrorCode = keyof typeof statusOf;

/** One problem with an input. `path` is dotted, an array index is a number, "" is the whole body. */
export interface Issue {
  path: string;
  message: string;
}

/**
 * A rejected request: the caller gets `code` and `message`, which says what to do. Recognized by its name, not its
 * class, since pages have a bundled copy of this class.
 */
export class Refusal extends Error {
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && value.name === "Refusal";
  }

  readonly code: ErrorCode;
  readonly issues: Issue[] | null;
  readonly headers: Record<string, string>;

  constructor(
    code: ErrorCode,
    message: string,
    more: { issues?: Issue[]; headers?: Record<string, string> } = {},
  ) {
    super(message);
    this.name = "Refusal";
    this.code = code;
    this.issues = more.issues ?? null;
    this.headers = more.headers ?? {};
  }
}

/** Rejects an input because of the given fields. */
export function invalid(...issues: Issue[]): Refusal {
  return invalidInput(issues);
}

/** Extends a check's refusal with the issues that `others` finds, so that all of them are reported at once. */
export function rethrowWithIssues(others: () => Promise<Issue[]>): (error: unknown) => Promise<never> {
  return async (error) => {
    if (!(error instanceof Refusal) || !error.issues) throw error;
    const told = new Set(error.issues.map(({ path }) => path));
    throw invalid(...error.issues, ...(await others()).filter(({ path }) => !told.has(path)));
  };
}

const maxIssues = 100;
const maxInMessage = 10;
const longestPath = 200;

/** Rejects an input because of any number of issues: the first hundred are listed, the others counted. */
export function invalidInput(all: Issue[]): Refusal {
  const issues = all.slice(0, maxIssues).map(({ path, message }) => ({ path: shortened(path), message }));
  const fields = issues.slice(0, maxInMessage).map(({ path }) => path || "the body");
  if (all.length > maxInMessage) fields.push(`and ${all.length - maxInMessage} more`);
  if (all.length > maxIssues) {
    issues.push({ path: "", message: `has ${all.length - maxIssues} more problems, which are not listed` });
  }
  return new Refusal("validation_error", `The request is not valid: see ${fields.join(", ")}.`, { issues });
}

/** A name chosen by the caller can be as long as the body. */
function shortened(path: string): string {
  return path.length > longestPath ? `${path.slice(0, longestPath).toWellFormed()}…` : path;
}

/** Rejects an id in a path that is missing or belongs to another workspace: the two cannot be told apart. */
export function notFound(what: string): Refusal {
  return new Refusal("not_found", `There is no such ${what} in this workspace.`);
}

/**
 * For a resource named in a request's body: if it does not exist, the input is invalid; any other error is rethrown.
 */
export function invalidIfMissing(issue: Issue): (error: unknown) => never {
  return (error) => {
    if (error instanceof Refusal && error.code === "not_found") throw invalid(issue);
    throw error;
  };
}
