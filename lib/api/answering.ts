/** What all doors answer alike: the request's id, the one shape of errors, the log's line. */
import { randomUUID } from "node:crypto";
import { Refusal, statusOf } from "#lib/errors.ts";
import { log } from "#lib/log.ts";
import { filesPath } from "#lib/storage/signed.ts";
import type { Answer, Asked } from "./asked.ts";

/** Answers one request with what `respond` makes of it. Never throws. */
export async function answering(
  asked: Asked,
  respond: (requestId: string, headers: Answer["headers"]) => Promise<Answer>,
): Promise<Answer> {
  const started = performance.now();
  const given = asked.header("x-request-id");
  const requestId = given && /^[\w.:-]{1,128}$/.test(given) ? given : randomUUID();
  const headers: Record<string, string> = { "x-request-id": requestId, "cache-control": "no-store" };
  const result = await respond(requestId, headers).catch((error) => refused(error, headers, requestId));
  if (asked.method === "HEAD") result.body = null;
  log().info(
    {
      requestId,
      method: asked.method,
      path: loggedPath(asked.url),
      status: result.status,
      ms: Math.round((performance.now() - started) * 10) / 10,
      ip: asked.ip,
    },
    "request",
  );
  return result;
}

/** A signed link is as good as a key: logs do not have it. */
function loggedPath(url: string): string {
  return url.startsWith(filesPath) ? filesPath : url.split("?", 1)[0]!.slice(0, 500);
}

export function refused(error: unknown, headers: Answer["headers"], requestId: string): Answer {
  const refusal = refusalOf(error, requestId);
  Object.assign(headers, refusal.headers);
  const details = refusal.issues ? { issues: refusal.issues } : null;
  const body = { error: { code: refusal.code, message: refusal.message, details } };
  return json(statusOf[refusal.code], headers, JSON.stringify(body));
}

/** Of sockets, of pg, and of PostgreSQL: the database cannot be reached, or is about to go. */
const away =
  /ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|Connection terminated|timeout exceeded when trying|57P0[123]/;

/** What the caller is told of an error; what nobody foresaw goes into the log. */
export function refusalOf(error: unknown, requestId: string): Refusal {
  if (error instanceof Refusal) return error;
  const { code = "", message = "" } = error as { code?: string; message?: string };
  if (away.test(`${code} ${message}`)) {
    log().warn({ requestId, error: message || code }, "the database is away");
    return new Refusal("unavailable", "The service cannot reach its database. Try again in a moment.", {
      headers: { "retry-after": "1" },
    });
  }
  log().error({ requestId, error: error instanceof Error ? error.stack : String(error) }, "request failed");
  return new Refusal(
    "internal_error",
    `Something went wrong on our side. Nothing was changed. Tell the operator the request id ${requestId}.`,
  );
}

export function json(status: number, headers: Answer["headers"], body: string | Buffer | null): Answer {
  if (body === null) {
    if (status !== 204) headers["content-length"] = "0";
    return { status, headers, body };
  }
  headers["content-type"] = "application/json; charset=utf-8";
  headers["content-length"] = String(Buffer.byteLength(body));
  return { status, headers, body };
}

export function unpaid(): Refusal {
  return new Refusal(
    "subscription_inactive",
    "The workspace's subscription is not active. An owner can change that; nothing is lost meanwhile.",
  );
}
