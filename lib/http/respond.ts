/** What all doors answer alike: the request's id, the one shape of errors, the log's line. */
import { randomUUID } from "node:crypto";
import { Refusal, statusOf } from "#lib/core/errors.ts";
import { hasBegun } from "#lib/core/execute.ts";
import { log } from "#lib/core/log.ts";
import { filesPath } from "#lib/storage/signed.ts";
import type { Answer, Asked } from "./exchange.ts";
import { strictTransport } from "./host.ts";
import { outageOf } from "./outage.ts";

/** Answers one request with what `respond` makes of it. Never throws. */
export async function answering(
  asked: Asked,
  respond: (requestId: string, headers: Answer["headers"]) => Promise<Answer>,
): Promise<Answer> {
  const started = performance.now();
  const given = asked.header("x-request-id");
  const requestId = given && /^[\w.:-]{1,128}$/.test(given) ? given : randomUUID();
  const headers = { "x-request-id": requestId, ...everyAnswer() };
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

/** What every answer carries that is no page. */
export function everyAnswer(): Record<string, string> {
  return { "cache-control": "no-store", "x-content-type-options": "nosniff", ...strictTransport() };
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

/** What the caller is told of an error; what nobody foresaw goes into the log. */
export function refusalOf(error: unknown, requestId: string): Refusal {
  if (error instanceof Refusal) return error;
  const effect = hasBegun(error)
    ? "It is not known whether this request took effect: check before you send it again."
    : "Nothing was changed.";
  const { code, message } = Object(error) as { code?: string; message?: string };
  if (code === "ECONNRESET" && message === "aborted") {
    return new Refusal("invalid_body", "The request ended before its body was complete.");
  }
  const away = outageOf(error);
  if (away) {
    log().warn({ alert: away, requestId, error: message || code }, outages[away].log);
    const text = `${outages[away].message} Try again in a moment. ${effect}`;
    return new Refusal("unavailable", text, { headers: { "retry-after": "1" } });
  }
  log().error({ requestId, error: error instanceof Error ? error.stack : String(error) }, "request failed");
  return new Refusal(
    "internal_error",
    `Something went wrong on our side. ${effect} Tell the operator the request id ${requestId}.`,
  );
}

const outages = {
  database: { log: "the database is away", message: "The service cannot reach its database." },
  files: { log: "files cannot be read or written", message: "The service cannot reach its file storage." },
};

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
