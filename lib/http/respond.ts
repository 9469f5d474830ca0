/** What all doors' responses have in common: the request id, the format of errors, the log line. */
import { randomUUID } from "node:crypto";
import { outageOf } from "#lib/core/connections/outage.ts";
import { Refusal, statusOf } from "#lib/core/errors.ts";
import { mayHaveTakenEffect } from "#lib/core/execute.ts";
import { log } from "#lib/core/log.ts";
import { type Span, withSpan } from "#lib/core/tracing/tracing.ts";
import { filesPath } from "#lib/storage/signed.ts";
import {
  type ApiRequest,
  type ApiResponse,
  type Caller,
  callerOf,
  type ResponseHeaders,
} from "./exchange.ts";
import { strictTransport } from "./host.ts";

import { recordResponse } from "./response-counter.ts";

type Handle = (caller: Caller, headers: ResponseHeaders) => Promise<ApiResponse>;

/** Responds to one request as `handle` does, or with the error that it throws. Never throws. */
export function respond(request: ApiRequest, handle: Handle): Promise<ApiResponse> {
  const { method, header } = request;
  const work = { kind: "request", name: "none", header, facts: { "http.request.method": method } } as const;
  return withSpan(work, (span) => answer(request, handle, span));
}

async function answer(request: ApiRequest, handle: Handle, span: Span | undefined): Promise<ApiResponse> {
  const started = performance.now();
  const given = request.header("x-request-id");
  const requestId = given && /^[\w.:-]{1,128}$/.test(given) ? given : randomUUID();
  const headers = { "x-request-id": requestId, ...commonHeaders() };
  const caller = callerOf(request, requestId);
  const response = await handle(caller, headers).catch((error) => errorResponse(error, headers, requestId));
  if (request.method === "HEAD") response.body = null;
  const ms = performance.now() - started;
  recordResponse(caller.operation ?? "none", response.status, ms / 1000);
  span?.rename(caller.operation ?? "none");
  span?.recordResponse(response.status, { "countersign.request_id": requestId });
  log().info(
    {
      requestId,
      method: request.method,
      path: loggedPath(request.url),
      status: response.status,
      ms: Math.round(ms * 10) / 10,
      ip: request.ip,
    },
    "request",
  );
  return response;
}

/** Headers of every response that is not a page. */
export function commonHeaders(): Record<string, string> {
  return { "cache-control": "no-store", "x-content-type-options": "nosniff", ...strictTransport() };
}

/** Signed links grant access like keys, so they are not logged. */
function loggedPath(url: string): string {
  return url.startsWith(filesPath) ? filesPath : url.split("?", 1)[0]!.slice(0, 500);
}

export function errorResponse(error: unknown, headers: ResponseHeaders, requestId: string): ApiResponse {
  const refusal = refusalOf(error, requestId);
  Object.assign(headers, refusal.headers);
  const details = refusal.issues ? { issues: refusal.issues } : null;
  const body = { error: { code: refusal.code, message: refusal.message, details } };
  return json(statusOf[refusal.code], headers, JSON.stringify(body));
}

/** The refusal that a caller gets for an error; unexpected errors are logged. */
export function refusalOf(error: unknown, requestId: string): Refusal {
  if (error instanceof Refusal) return error;
  const effect = mayHaveTakenEffect(error)
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

export function json(status: number, headers: ResponseHeaders, body: string | Buffer | null): ApiResponse {
  if (body === null) {
    if (status !== 204) headers["content-length"] = "0";
    return { status, headers, body };
  }
  headers["content-type"] = "application/json; charset=utf-8";
  headers["content-length"] = String(Buffer.byteLength(body));
  return { status, headers, body };
}

export function subscriptionInactive(): Refusal {
  return new Refusal(
    "subscription_inactive",
    "The workspace's subscription is not active. An owner can change that; nothing is lost meanwhile.",
  );
}
