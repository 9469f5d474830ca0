/**
 * What a page answers when the database or the store of files is away. To Next whatever fails while a page is
 * rendered is its own mistake: 500, and an empty page that only scripts fill. Here such an answer becomes 503 and a
 * page that says what to do, before a byte of the other has left.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type { IncomingMessage, ServerResponse } from "node:http";
import { outageOf } from "#lib/core/connections/outage.ts";
import { log } from "#lib/core/log.ts";

type Pages = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

interface Rendering {
  isAway: boolean;
}

/** Of the page whose request is being answered. */
const rendering = new AsyncLocalStorage<Rendering>();

/** Records why a page cannot be rendered: Next passes each error to instrumentation.ts. */
export function notePageError(error: unknown): void {
  const away = outageOf(error);
  const page = rendering.getStore();
  if (!away || !page || page.isAway) return;
  page.isAway = true;
  log().warn({ alert: away, error: (error as Error).message }, "a page could not be shown");
}

/** Pages, of which none answers 500 for what is only away. */
export function withOutages(pages: Pages): Pages {
  return (request, response) => {
    const page: Rendering = { isAway: false };
    replaceWhere(response, () => page.isAway && response.statusCode === 500 && !response.headersSent);
    return rendering.run(page, () => pages(request, response));
  };
}

function replaceWhere(response: ServerResponse, isAway: () => boolean): void {
  // As they are now: what is laid over them later would compress.
  const { writeHead, write, end, flushHeaders } = response;
  let isReplaced = false;
  const replace = () => {
    isReplaced = true;
    for (const name of ["content-encoding", "content-length", "etag", "link"]) response.removeHeader(name);
    const headers = { "content-type": "text/html; charset=utf-8", "retry-after": "1" };
    writeHead.call(response, 503, headers);
    end.call(response, text, "utf8");
  };
  const instead =
    <Args extends unknown[], Result>(usual: (...args: Args) => Result, replaced: Result) =>
    (...args: Args): Result => {
      if (!isReplaced && isAway()) replace();
      return isReplaced ? replaced : usual.apply(response, args);
    };
  response.flushHeaders = instead(flushHeaders as () => void, undefined);
  response.write = instead(write as (...args: unknown[]) => boolean, true) as typeof write;
  response.end = instead(end as (...args: unknown[]) => ServerResponse, response) as typeof end;
}

/** It stands alone: what else it would need may be away as well. */
const text = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Not available at the moment · Countersign</title>
</head>
<body style="display: grid; place-content: center; min-height: 90vh; margin: 0 1.5rem; font: 1rem/1.5 system-ui, sans-serif; text-align: center">
<main style="max-width: 28rem">
<h1 style="font-size: 1.25rem">This page cannot be shown at the moment</h1>
<p>Countersign cannot reach its data. This usually lasts only a moment, and nothing is lost. Try again; if it keeps happening, tell whoever runs this server.</p>
<p><a href="">Try again</a></p>
</main>
</body>
</html>
`;
