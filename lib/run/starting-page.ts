/**
 * The page for browsers while the server starts. It is self-contained, polls the progress, and reloads when the server
 * is ready.
 */
import { createHash } from "node:crypto";

const style = `
:root { color-scheme: light dark }
body { display: grid; place-content: center; min-height: 90vh; margin: 0 1.5rem; font: 1rem/1.5 system-ui, sans-serif; text-align: center; background: light-dark(#f6f5f1, #101216); color: light-dark(#1a1c20, #ecebe7) }
main { max-width: 28rem }
h1 { font-size: 1.25rem }
p { margin: .5rem 0 }
.making { color: light-dark(#565a62, #a9aeb8) }`;

/** Reloads only when everything is ready: an earlier response might be another error page. */
const script = `
const making = document.querySelector(".making");
const look = async () => {
  try {
    const answer = await fetch("/readyz", { cache: "no-store" });
    if (answer.ok) return location.reload();
    const { making: parts = [] } = await answer.json();
    const text = inWords(parts);
    if (making.textContent !== text) making.textContent = text;
  } catch {}
  setTimeout(look, 1000);
};
const inWords = (parts) => parts.length > 0 ? "Still being prepared: " + parts.join(", ") + "." : "Almost there.";
setTimeout(look, 1000);`;

const inWords = (parts: string[]): string =>
  parts.length > 0 ? `Still being prepared: ${parts.join(", ")}.` : "Almost there.";

const hashOf = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

export const pageHeaders = {
  "content-type": "text/html; charset=utf-8",
  "cache-control": "no-store",
  "content-security-policy": `default-src 'none'; script-src ${hashOf(script)}; style-src ${hashOf(style)}; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'`,
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "strict-origin-when-cross-origin",
};

export const startingPage = (making: string[]): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Starting · Countersign</title>
<style>${style}</style>
<noscript><meta http-equiv="refresh" content="5"></noscript>
</head>
<body>
<main>
<h1>Countersign is starting</h1>
<p class="making" role="status">${inWords(making)}</p>
<p>After an installation or an update this takes half a minute. The page opens automatically when everything is ready.</p>
</main>
<script>${script}</script>
</body>
</html>
`;
