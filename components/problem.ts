/** What went wrong, as pages tell it. */
import { ApiProblem } from "#lib/api/client.ts";

/** Any error as a problem that can be shown. */
export function problemOf(error: unknown): ApiProblem {
  if (error instanceof ApiProblem) return error;
  return new ApiProblem("internal_error", "Something went wrong in this page. Reload it and try again.");
}

/** The toast that tells of a refusal. */
export function refusalToast({ message, requestId, issues }: ApiProblem) {
  const what = issues.map((issue) => `${issue.path} ${issue.message}`.trim()).join("; ") || message;
  return {
    tone: "failed" as const,
    title: "That was not done",
    detail: requestId ? `${what} (Request ${requestId})` : what,
  };
}

/** Why what was entered was refused, for a form of one field. */
export function whyRefused(error: unknown): string {
  const { issues, message, requestId } = problemOf(error);
  return issues[0]?.message ?? (requestId ? `${message} (Request ${requestId})` : message);
}
