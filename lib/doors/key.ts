/**
 * The API over HTTP: from a request to an answer, through every check in its order. It knows neither Node's
 * nor the web's request objects; lib/doors/node.ts and lib/doors/web.ts bring them here.
 */
import { clock } from "#lib/core/clock.ts";
import type { Context } from "#lib/core/context.ts";
import { authorize, carryOut, type Outcome, parseInput, perform } from "#lib/core/execute.ts";
import type { Download } from "#lib/core/operation.ts";
import { matches } from "#lib/core/serialize.ts";
import type { Answer, Asked } from "#lib/http/exchange.ts";
import { fileAnswer } from "#lib/http/file-answer.ts";
import { queryInput } from "#lib/http/input.ts";
import { limitRate } from "#lib/http/rate-limit.ts";
import { answering, json, unpaid } from "#lib/http/respond.ts";
import { keptRead, type Read, readOf } from "#lib/http/response-cache.ts";
import { type Match, router, wrongMethod } from "#lib/http/router.ts";
import { write } from "#lib/http/write.ts";
import { openapi } from "#lib/openapi/document.ts";
import { routes } from "#lib/routes.ts";
import { type Admitted, admitKey } from "./admit.ts";
import { answerFile, filesPath } from "./files.ts";

export const basePath = "/api/v1";

const match = router(routes);

/** Answers one request. Never throws. */
export async function answer(asked: Asked): Promise<Answer> {
  return answering(asked, (requestId, headers) => respond(asked, requestId, headers));
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
    gone: asked.gone,
  });
  try {
    const result = await respondTo(asked, path, search, headers, found, admitted, now);
    admitted.count(found.route, false);
    return result;
  } catch (error) {
    admitted.count(found.route, true);
    throw error;
  }
}

/** Whoever has a key: the checks that follow it, in their order, and the answer. */
async function respondTo(
  asked: Asked,
  path: string,
  search: string,
  headers: Answer["headers"],
  found: Match,
  admitted: Admitted,
  now: Date,
): Promise<Answer> {
  await limitRate(admitted.ctx.actor.id, now, headers);
  if (admitted.subscriptionStatus !== "active" && !found.operation.worksUnpaid) {
    throw unpaid();
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

async function read(found: Match, { ctx }: Admitted, url: string, search: string): Promise<Read> {
  const { operation, parameters } = found;
  return keptRead(operation, ctx, url, async () => {
    const raw = { ...queryInput(operation.input, search), ...parameters };
    return (await perform(operation, ctx, parseInput(operation.input, raw))).body ?? "";
  });
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
