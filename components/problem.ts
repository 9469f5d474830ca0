/** Errors as pages show them: in plain words, without details that only programs need. */
import { fieldInWords, inWords } from "#components/words.ts";
import { ApiProblem } from "#lib/doors/client.ts";

/** Converts any error to a problem that can be shown. */
export function problemOf(error: unknown): ApiProblem {
  if (error instanceof ApiProblem) return toPlain(error);
  return new ApiProblem("internal_error", "Something went wrong on this page. Reload it and try again.");
}

const plainProblems = new WeakMap<ApiProblem, ApiProblem>();

function toPlain(problem: ApiProblem): ApiProblem {
  const known = plainProblems.get(problem);
  if (known) return known;
  const { code, message, issues, status, requestId, retryAfterSeconds } = problem;
  const plain = new ApiProblem(code, codeWords[code] ?? withoutApi(message), {
    issues: issues.map(inPlainWords),
    ...{ status, requestId, retryAfterSeconds },
  });
  plainProblems.set(problem, plain);
  plainProblems.set(plain, plain);
  return plain;
}

function inPlainWords({ path, message }: ApiProblem["issues"][number]) {
  const plain = { path, message: withoutApi(message) };
  return { ...plain, sentence: issueInWords(plain) };
}

/** Messages that tell a person what to do, for errors whose own message tells a program what to send. */
const codeWords: Partial<Record<ApiProblem["code"], string>> = {
  precondition_failed:
    "Someone else has changed this since you opened it. Reload the page, then change it again.",
  idempotency_key_reused: "This was already sent with different content. Reload the page and try again.",
};

const id =
  "\\b(?:org|usr|mem|inv|key|ctr|ver|cp|con|obl|tpl|env|sgn|fld|sev|aud|whe|evt|msg)_[0-9a-z]{26}\\b";
const aside = new RegExp(` \\(${id}\\)|, ${id}(?=[.,;]|$)| ${id}`, "g");

const enumerated =
  /\b[A-Z]{2,}(?:_[A-Z]+)+\b|\b(?:DRAFT|APPROVED|NEGOTIATING|EXECUTED|ACTIVE|EXPIRED|TERMINATED|CANCELLED|COMPLETED|WAIVED|SUGGESTED|UPCOMING|OVERDUE|DUE|SENT|SEALING|DECLINED|VOIDED|PENDING|SIGNED)\b/g;

/** Removes ids and advice on what to send, and rewords enumeration values. Quoted text stays unchanged. */
function withoutApi(message: string): string {
  return message
    .split(/("[^"]*")/)
    .map((part, index) => (index % 2 === 1 ? part : plainWords(part)))
    .join("");
}

const plainWords = (text: string) =>
  text
    .replace(aside, "")
    .replace(" Send allowDuplicate: true to use it again.", " If that is intended, create it anyway.")
    .replace(": PATCH it with enabled: true.", ".")
    .replace(enumerated, (word) => inWords(word).toLowerCase())
    .replace(/(?<=[.!?] )[a-z]/g, (letter) => letter.toUpperCase());

/** Returns an issue as a sentence: the field, and what is wrong with it. */
export const issueInWords = ({ path, message }: { path: string; message: string }): string =>
  /^[A-Z]/.test(message) ? message : `${path === "" ? "This" : fieldInWords(path)} ${message}`;

/** Returns the toast for an error. */
export function refusalToast({ message, requestId, issues, status }: ApiProblem) {
  const what = issues.map(issueInWords).join("; ") || message;
  // The request id helps to investigate a failure; a refusal needs no investigation.
  const isFailure = requestId !== null && status >= 500;
  return {
    tone: "failed" as const,
    title: "That did not work",
    detail: isFailure ? `${what} (Request ${requestId})` : what,
  };
}

/** Returns why an entry was refused, for a form with one field. */
export function whyRefused(error: unknown): string {
  const { issues, message, requestId, status } = problemOf(error);
  return issues[0]?.message ?? (requestId && status >= 500 ? `${message} (Request ${requestId})` : message);
}
