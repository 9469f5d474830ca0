/** Exports of lists, calendar feeds and unsubscribe links, for Next's route files. */

import { randomUUID } from "node:crypto";
import { clock } from "#lib/core/clock.ts";
import { notFound, Refusal } from "#lib/core/errors.ts";
import { authorize, parseInput } from "#lib/core/execute.ts";
import { log } from "#lib/core/log.ts";
import { networkOf } from "#lib/core/network.ts";
import { queryInput } from "#lib/http/input.ts";
import { addressHeader } from "#lib/http/proxy.ts";
import { limitRate } from "#lib/http/rate-limit.ts";
import { commonHeaders, errorResponse } from "#lib/http/respond.ts";
import { refuseForeignGet } from "#lib/http/same-origin.ts";
import { unsubscribe, unsubscribePage } from "#lib/notifications/unsubscribe.ts";
import { calendarOf } from "#lib/overview/calendar-feeds/calendar-feeds.ts";
import { exportCsv } from "#lib/overview/exports/csv.ts";
import { type ExportName, exports } from "#lib/overview/exports/schema.ts";
import { admitMember } from "./admit.ts";
import { refuseChangedSession } from "./member.ts";

type Headers = Record<string, string>;
type Path = Record<string, string | string[]>;

/** GET /api/member-files/contracts.csv?… : everything that the list finds with this filter. */
export function answerExport(request: Request, { file }: Path): Promise<Response> {
  return respond(request, (headers) => exportFile(request, String(file), headers));
}

/** GET /api/calendar/<token>.ics */
export function answerCalendar(request: Request, { file }: Path): Promise<Response> {
  return respond(request, async (headers) => {
    await limitRate(`calendar ${networkOf(request.headers.get(addressHeader))}`, clock(), headers);
    const [, token] = /^([\w-]{43})\.ics$/.exec(String(file)) ?? [];
    const calendar = token === undefined ? null : await calendarOf(token);
    if (calendar === null)
      throw new Refusal("not_found", "This calendar does not exist, or its address was revoked.");
    return new Response(calendar, {
      headers: { ...headers, "content-type": "text/calendar; charset=utf-8" },
    });
  });
}

/**
 * /api/unsubscribe/<token>, the address in the header of e-mails (RFC 8058): a POST from a mail program unsubscribes
 * immediately. A GET, such as from a scanner that follows every link, is redirected to the page that asks.
 */
export function answerUnsubscribe(request: Request, { token }: Path): Promise<Response> {
  return respond(request, async (headers) => {
    await limitRate(`unsubscribe ${networkOf(request.headers.get(addressHeader))}`, clock(), headers);
    if (request.method === "POST") {
      await unsubscribe(String(token), clock());
      return new Response(null, { status: 204, headers });
    }
    const location = unsubscribePage(encodeURIComponent(String(token)));
    return new Response(null, { status: 303, headers: { ...headers, location } });
  });
}

async function exportFile(request: Request, name: string, headers: Headers): Promise<Response> {
  const header = (field: string) => request.headers.get(field) ?? undefined;
  refuseForeignGet(header);
  if (!Object.hasOwn(exports, name)) throw notFound("export");
  const { scopes, query } = exports[name as ExportName];
  const caller = { method: "GET", header, ip: header(addressHeader) ?? null, now: clock() };
  const { ctx } = await admitMember({ ...caller, requestId: headers["x-request-id"] ?? "" });
  refuseChangedSession(caller, ctx.actor.id, ctx.organizationId);
  await limitRate(ctx.actor.id, ctx.now, headers);
  authorize({ scopes }, ctx);
  const { input: asked, issues } = queryInput(query, new URL(request.url).search);
  const input = parseInput(query, asked, issues);
  const { rowCount, text } = await exportCsv(ctx, name as ExportName, input);
  return new Response(streamOf(text, ctx.requestId), {
    headers: {
      ...headers,
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": `attachment; filename="${name}"`,
      "x-row-count": String(rowCount),
    },
  });
}

async function respond(request: Request, handle: (headers: Headers) => Promise<Response>): Promise<Response> {
  const requestId = randomUUID();
  const headers = { "x-request-id": requestId, ...commonHeaders() };
  try {
    return await handle(headers);
  } catch (error) {
    const { status, body } = errorResponse(error, headers, requestId);
    log().info({ requestId, method: request.method, status }, "request");
    return new Response(body as string, { status, headers });
  }
}

/** An error in the middle breaks the connection: a table that only looks complete would be worse. */
function streamOf(text: AsyncIterable<string>, requestId: string | null): ReadableStream<Uint8Array> {
  const parts = text[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await parts.next();
        if (done) controller.close();
        else controller.enqueue(encoder.encode(value));
      } catch (error) {
        log().error({ requestId, error: (error as Error).stack }, "an export was cut off");
        controller.error(error);
      }
    },
    async cancel() {
      await parts.return?.();
    },
  });
}
