/**
 * Answers page requests while the database or the file store is unavailable. Next treats every error while rendering as
 * a bug: it answers 500 with an empty page that only scripts fill. This replaces that response, before any byte of it
 * is sent, with 503 and a page that says what to do.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type { IncomingMessage, ServerResponse } from "node:http";
import { outageOf } from "#lib/core/connections/outage.ts";
import { log } from "#lib/core/log.ts";

type Pages = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

interface Rendering {
  isUnavailable: boolean;
}

/** The state of the page request that is being handled. */
const rendering = new AsyncLocalStorage<Rendering>();

/** Records that a page cannot be rendered because of an outage. Next passes each error to instrumentation.ts. */
export function recordPageError(error: unknown): void {
  const away = outageOf(error);
  const page = rendering.getStore();
  if (!away || !page || page.isUnavailable) return;
  page.isUnavailable = true;
  log().warn({ alert: away, error: (error as Error).message }, "a page could not be shown");
}

/** Wraps a page handler so that it does not answer 500 because of an outage. */
export function withOutages(pages: Pages): Pages {
  return (request, response) => {
    const page: Rendering = { isUnavailable: false };
    replaceWhere(response, () => page.isUnavailable && response.statusCode === 500 && !response.headersSent);
    return rendering.run(page, () => pages(request, response));
  };
}

function replaceWhere(response: ServerResponse, isAway: () => boolean): void {
  // The original methods: wrappers that are added later would compress the page.
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

/** The page is self-contained: whatever else it needed might be unavailable as well. */
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
