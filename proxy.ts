/**
 * The security headers of pages. Each page gets a nonce of its own, without which no script and no style sheet
 * of its text counts. The API and assistants are left out: Next would buffer its bodies and cut them at 10 MB.
 */
import { randomBytes } from "node:crypto";
import { type NextRequest, NextResponse } from "next/server";
import { settings } from "#lib/core/env.ts";
import { foreignHost, isOwnHost, strictTransport } from "#lib/http/host.ts";

export const config = { matcher: "/((?!api/|mcp$|_next/|livez|readyz|favicon.ico|icon.svg).*)" };

export function proxy(request: NextRequest): NextResponse {
  if (!isOwnHost(request.headers.get("host") ?? undefined)) return misdirected();
  const nonce = randomBytes(16).toString("base64");
  const secure = settings().BASE_URL.startsWith("https:");
  const policy = policyWith(nonce, secure);
  const headers = new Headers(request.headers);
  headers.set("x-nonce", nonce);
  // For the way back after signing in.
  headers.set("x-path", request.nextUrl.pathname + request.nextUrl.search);
  // Next reads the nonce for its own scripts from here.
  headers.set("content-security-policy", policy);
  const response = NextResponse.next({ request: { headers } });
  response.headers.set("content-security-policy", policy);
  response.headers.set("cache-control", "no-store");
  for (const [name, value] of Object.entries(strictTransport())) response.headers.set(name, value);
  return response;
}

function misdirected(): NextResponse {
  const headers = {
    "content-type": "text/plain; charset=utf-8",
    "cache-control": "no-store",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  };
  return new NextResponse(`${foreignHost()}\n`, { status: 421, headers });
}

function policyWith(nonce: string, secure: boolean): string {
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'`,
    `style-src 'self' 'nonce-${nonce}'`,
    // Positions and sizes that components compute; they can move things, not load or run any.
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self' blob:",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "object-src 'none'",
    ...(secure ? ["upgrade-insecure-requests"] : []),
  ].join("; ");
}
