/** The page for a request that cannot be completed, if the program cannot be told: plain HTML without scripts. */

import { hash } from "node:crypto";
import { escapeHtml } from "#lib/core/wire.ts";

const style =
  "body{font:16px/1.5 system-ui,sans-serif;max-width:34rem;margin:15vh auto 0;padding:0 1.25rem;overflow-wrap:anywhere}" +
  "h1{font-size:1.25rem;margin:0 0 .5rem}code{font-size:.8125rem}" +
  "@media(prefers-color-scheme:dark){body{background:#111418;color:#e8eaed}}";

export const problemPagePolicy = `default-src 'none'; style-src 'sha256-${hash("sha256", style, "base64")}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** Explains OAuth error codes to the person who reads the page. */
const words: Record<string, string> = {
  invalid_client: "The assistant could not be identified. It may have to be added again.",
  invalid_client_metadata: "What the assistant says of itself cannot be accepted.",
  invalid_redirect_uri: "The assistant asked to be answered at an address that it had not named before.",
  invalid_request: "The assistant’s request is incomplete or malformed.",
  rate_limited: "There were too many requests from here. Wait a minute, then try again.",
  server_error: "Something went wrong on our side. Nothing was changed.",
  session_not_found: "This request has expired, or was begun in another browser.",
  temporarily_unavailable: "The service cannot reach its database. Try again in a moment.",
};

export function problemPage(code: string, detail: string | undefined): string {
  const why = words[code] ?? "The assistant’s request cannot be accepted.";
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Not connected</title><style>${style}</style>
<main><h1>The assistant was not connected</h1><p>${why}</p><p>Go back to the assistant and connect again.</p>
<p><code>${escapeHtml(`${code}${detail ? `: ${detail.slice(0, 300)}` : ""}`)}</code></p></main></html>
`;
}
