/**
 * The API over HTTP: from a request to an answer, through every check in its order. It knows neither Node's
 * nor the web's request objects; lib/api/node.ts and lib/api/web.ts bring them here.
 */
import { randomUUID } from "node:crypto";
import { LRUCache } from "lru-cache";
import { clock } from "#lib/clock.ts";
import type { Context } from "#lib/context.ts";
import { Refusal, statusOf } from "#lib/errors.ts";
import { log } from "#lib/log.ts";
import { etagOf, matches } from "#lib/print.ts";
import type { Answer, Asked } from "./asked.ts";
import { type Admitted, admitKey } from "./doors.ts";
import { authorize, carryOut, type Outcome, parseInput, perform } from "./execute.ts";
import { fileAnswer } from "./file-answer.ts";
import { answerFile, filesPath } from "./files.ts";
import { queryInput } from "./input.ts";
import { openapi } from "./openapi.ts";
import type { Download } from "./operation.ts";
import { limitRate } from "./rate-limit.ts";
import { type Match, router, wrongMethod } from "./router.ts";
import { routes } from "./routes.ts";
import { write } from "./write.ts";

export const basePath = "/api/v1";

const match = router(routes);

/** Answers one request. Never throws. */
export async function answer(asked: Asked): Promise<Answer> {
  const started = performance.now();
  const given = asked.header("x-request-id");
  const requestId = given && /^[\w.:-]{1,128}$/.test(given) ? given : randomUUID();
  const headers: Record<string, string> = { "x-request-id": requestId, "cache-control": "no-store" };
  const result = await respond(asked, requestId, headers).catch((error) =>
    refused(error, headers, requestId),
  );
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

async function respond(asked: Asked, requestId: string, headers: Answer["headers"]): Promise<Answer> {
  if (asked.url.startsWith(`${filesPath}/`)) return answerFile(asked, headers);
  const [path, search] = divide(asked.url.slice(basePath.length));
  if (path === "/openapi.json") {
    if (asked.method !== "GET" && asked.method !== "HEAD") throw wrongMethod(asked.method, ["GET"]);
    return fresh(asked, headers, readOf(openapi()));
  }
  const found = match(asked.method, path);
  const now = clock();
  const admitted = await admitKey({
    method: asked.method,
    header: asked.header,
    ip: asked.ip,
    requestId,
    now,
  });
  await limitRate(admitted.ctx.actor.id, now, headers);
  if (admitted.subscriptionStatus !== "active" && !found.operation.worksUnpaid) {
    throw new Refusal(
      "subscription_inactive",
      "The workspace's subscription is not active. An owner can change that; nothing is lost meanwhile.",
    );
  }
  authorize(found.operation, admitted.ctx);
  if (asked.method === "GET" || asked.method === "HEAD") {
    if (found.operation.download) return download(asked, headers, found, admitted.ctx);
    return fresh(asked, headers, await read(found, admitted, asked.url, search));
  }
  return told(await write(found, admitted.ctx, asked, path), headers);
}

/** Path and query; a question mark in the query is the query's. */
function divide(url: string): [path: string, search: string] {
  const mark = url.indexOf("?");
  return mark < 0 ? [url, ""] : [url.slice(0, mark), url.slice(mark + 1)];
}

/**
 * What reads answered, by workspace, change number and UTC day: on those alone an answer depends, so a
 * kept one is exact, on every server, and nothing needs to be thrown out.
 */
const kept = new LRUCache<string, Read>({
  maxSize: 16 * 1024 * 1024,
  maxEntrySize: 1024 * 1024,
  sizeCalculation: ({ body }, key) => body.length + key.length,
});

interface Read {
  body: Buffer;
  etag: string;
}

function readOf(text: string): Read {
  const body = Buffer.from(text);
  return { body, etag: etagOf(body) };
}

async function read(found: Match, admitted: Admitted, url: string, search: string): Promise<Read> {
  const { ctx } = admitted;
  const day = Math.floor(ctx.now.getTime() / 86_400_000);
  const key = found.operation.cacheable ? `${ctx.organizationId} ${ctx.seq} ${day} ${url}` : null;
  const before = key && kept.get(key);
  if (before) return before;
  const raw = { ...queryInput(found.operation.input, search), ...found.parameters };
  const outcome = await perform(found.operation, ctx, parseInput(found.operation.input, raw));
  const answer = readOf(outcome.body ?? "");
  if (key) kept.set(key, answer);
  return answer;
}

async function download(
  asked: Asked,
  headers: Answer["headers"],
  { operation, parameters }: Match,
  ctx: Context,
) {
  const input = parseInput(operation.input, parameters);
  const file = (await carryOut(operation, ctx, input)) as Download;
  return fileAnswer(asked, headers, { ...file, organizationId: ctx.organizationId });
}

/** A read's answer, or 304 when the caller has it already. */
function fresh(asked: Asked, headers: Answer["headers"], { body, etag }: Read): Answer {
  headers.etag = etag;
  const known = asked.header("if-none-match");
  if (known && matches(known.replaceAll("W/", ""), etag)) return { status: 304, headers, body: null };
  headers["content-type"] = "application/json; charset=utf-8";
  headers["content-length"] = String(body.length);
  return { status: 200, headers, body };
}

function told(outcome: Outcome & { replayed: boolean }, headers: Answer["headers"]): Answer {
  if (outcome.location !== null) headers.location = basePath + outcome.location;
  if (outcome.replayed) headers["idempotent-replayed"] = "true";
  return json(outcome.status, headers, outcome.body);
}

function refused(error: unknown, headers: Answer["headers"], requestId: string): Answer {
  const refusal = error instanceof Refusal ? error : unexpected(error, requestId);
  Object.assign(headers, refusal.headers);
  const details = refusal.issues ? { issues: refusal.issues } : null;
  const body = { error: { code: refusal.code, message: refusal.message, details } };
  return json(statusOf[refusal.code], headers, JSON.stringify(body));
}

/** Of sockets, of pg, and of PostgreSQL: the database cannot be reached, or is about to go. */
const away =
  /ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|Connection terminated|timeout exceeded when trying|57P0[123]/;

function unexpected(error: unknown, requestId: string): Refusal {
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

function json(status: number, headers: Answer["headers"], body: string | null): Answer {
  if (body === null) {
    if (status !== 204) headers["content-length"] = "0";
    return { status, headers, body };
  }
  headers["content-type"] = "application/json; charset=utf-8";
  headers["content-length"] = String(Buffer.byteLength(body));
  return { status, headers, body };
}
