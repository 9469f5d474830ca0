/**
 * The authorization server over HTTP: endpoints for programs that connect, and redirects of a browser to the consent
 * page and back. Decides here, first, what the library should not decide.
 */
import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { mayFinish } from "#lib/assistants/requests.ts";
import { assistantResource } from "#lib/assistants/tokens.ts";
import { clock } from "#lib/core/clock.ts";
import { settings } from "#lib/core/env.ts";
import { Refusal, statusOf } from "#lib/core/errors.ts";
import { limiter } from "#lib/core/limits/limiter.ts";
import { log } from "#lib/core/log.ts";
import { networkOf } from "#lib/core/network.ts";
import { assistantScopes } from "#lib/core/scopes.ts";
import { foreignHost, isOwnHost } from "#lib/http/host.ts";
import { callerAddress } from "#lib/http/proxy.ts";
import { limitRate } from "#lib/http/rate-limit.ts";
import { commonHeaders, refusalOf } from "#lib/http/respond.ts";
import { authorizePath, endpointOf, type OauthPath } from "#lib/oauth/paths.ts";
import { problemPage, problemPagePolicy } from "#lib/oauth/problem-page.ts";
import { authorizationServer } from "#lib/oauth/provider.ts";
import { normalized } from "#lib/oauth/request.ts";
import { readSessionCookie } from "./session-cookie.ts";

/**
 * More than any request or registration needs: the parameters of an authorization request are stored for twenty
 * minutes.
 */
const maxQueryLength = 3 * 1024;
const maxBodyBytes = 16 * 1024;

/**
 * Registrations per hour: from one address, which may be a whole office, and in total. Each is stored for a while.
 */
const maxPerNetwork = 60;
const maxTotal = 1000;

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  endpoint: OauthPath;
  search: string;
  ip: string | null;
}

/** Responds to a request for one of `isOauthPath`. Never throws. */
export async function serveOauth(
  request: IncomingMessage,
  response: ServerResponse,
  target: string,
): Promise<void> {
  const [path = "", ...rest] = target.split("?");
  const endpoint = endpointOf(path);
  const header = (name: string) => [request.headers[name]].flat().join(", ") || undefined;
  const ip = callerAddress(request.socket.remoteAddress, header("x-forwarded-for"));
  const requestId = recordRequest(request, response, { path: endpoint?.request ? authorizePath : path, ip });
  try {
    if (!isOwnHost(header("host"))) throw new Misdirected(foreignHost());
    if (!endpoint) throw new Refusal("not_found", "There is nothing here.");
    await answer({ request, response, endpoint, search: rest.join("?"), ip });
  } catch (error) {
    refuse(response, error, requestId, endpoint?.path.startsWith(authorizePath) === true);
  }
}

class Misdirected extends Error {}

async function answer(exchange: Exchange): Promise<void> {
  const { request, response, endpoint } = exchange;
  if (endpoint.isForPages) response.setHeader("access-control-allow-origin", "*");
  if (request.method === "OPTIONS" && endpoint.isForPages) return respondToPreflight(response, endpoint);
  if (!endpoint.methods.includes(request.method ?? "")) {
    const allow = endpoint.methods.join(", ");
    throw new Refusal("method_not_allowed", `This takes ${allow}.`, { headers: { allow } });
  }
  await limit(exchange);
  if (endpoint.isResourceMetadata) return describeResource(response);
  if (endpoint.request && !(await mayFinish(endpoint.request, await sessionOf(request)))) throw notHere();
  await handOver(exchange);
}

const sessionOf = ({ headers: { cookie } }: IncomingMessage) => readSessionCookie(cookie);

const notHere = () => new Refusal("conflict", "This request was not answered in this browser.");

/** Sets the headers of every response, and logs it: without its query, which may contain codes. */
function recordRequest(
  request: IncomingMessage,
  response: ServerResponse,
  { path, ip }: { path: string; ip: string | null },
): string {
  const requestId = randomUUID();
  const started = performance.now();
  const own = { "x-request-id": requestId, "referrer-policy": "no-referrer", "x-frame-options": "DENY" };
  for (const [name, value] of Object.entries({ ...commonHeaders(), ...own })) response.setHeader(name, value);
  response.once("close", () => {
    const ms = Math.round((performance.now() - started) * 10) / 10;
    const { method } = request;
    const { statusCode: status } = response;
    log().info({ requestId, method, path: path.slice(0, 200), status, ms, ip }, "request");
  });
  return requestId;
}

/** For programs in a browser: cookies are not sent, so any page may call it. */
function respondToPreflight(response: ServerResponse, { methods }: OauthPath): void {
  response.setHeader("access-control-allow-methods", methods.join(", "));
  response.setHeader("access-control-allow-headers", "authorization, content-type, mcp-protocol-version");
  response.setHeader("access-control-max-age", "3600");
  response.writeHead(204).end();
}

async function limit({ request, response, endpoint, search, ip }: Exchange): Promise<void> {
  const headers: Record<string, string> = {};
  await limitRate(`oauth ${networkOf(ip)}`, clock(), headers);
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  if (endpoint.path === "/oauth/register") await limitRegistrations(ip);
  // No address contains NUL, which the database cannot store.
  if (search.length > maxQueryLength || search.includes("%00")) {
    throw new Refusal("invalid_body", "The request’s address is too long, or malformed.");
  }
  if (Number(request.headers["content-length"] ?? 0) > maxBodyBytes) {
    throw new Refusal("file_too_large", `The body can have at most ${maxBodyBytes / 1024} kB.`);
  }
}

async function limitRegistrations(ip: string | null): Promise<void> {
  const ofNetwork = await limiter("assistant:registration", maxPerNetwork, 3600).count(networkOf(ip));
  // Registrations rejected here do not count towards the total: otherwise one address could use it up for everyone.
  const over = ofNetwork.isOver
    ? ofNetwork
    : await limiter("assistant:registrations", maxTotal, 3600).count("all");
  if (!over.isOver) return;
  const seconds = String(Math.max(1, Math.ceil(over.msBeforeReset / 1000)));
  throw new Refusal("rate_limited", "Too many registrations. Try again later.", {
    headers: { "retry-after": seconds },
  });
}

/** RFC 9728: where to get a token, and its possible scopes. */
function describeResource(response: ServerResponse): void {
  const { BASE_URL } = settings();
  const body = JSON.stringify({
    resource: assistantResource(),
    authorization_servers: [BASE_URL],
    scopes_supported: assistantScopes,
    bearer_methods_supported: ["header"],
    resource_name: "Countersign",
  });
  response.writeHead(200, { "content-type": "application/json; charset=utf-8" }).end(body);
}

/** Lets the library respond. Its own address comes from BASE_URL, and from no header of the caller. */
async function handOver({ request, response, endpoint, search }: Exchange): Promise<void> {
  const { protocol, host } = new URL(settings().BASE_URL);
  for (const name of Object.keys(request.headers)) {
    if (name.startsWith("x-forwarded-")) delete request.headers[name];
  }
  request.headers.host = host;
  request.headers["x-forwarded-proto"] = protocol.slice(0, -1);
  const query = endpoint.path === authorizePath ? normalized(search) : endpoint.request ? "" : search;
  request.url = query ? `${endpoint.path}?${query}` : endpoint.path;
  if (/100-continue/i.test(request.headers.expect ?? "")) response.writeContinue();
  const handle = await authorizationServer();
  await handle(request, response);
}

/** An OAuth error for programs; a page where a person is looking. */
function refuse(response: ServerResponse, error: unknown, requestId: string, isForPerson: boolean): void {
  if (response.headersSent) return void response.destroy();
  if (error instanceof Misdirected) {
    response.writeHead(421, { "content-type": "text/plain; charset=utf-8" }).end(`${error.message}\n`);
    return;
  }
  const { code, message, headers } = refusalOf(error, requestId);
  const name = names[code] ?? (statusOf[code] < 500 ? "invalid_request" : "server_error");
  const body = isForPerson
    ? problemPage(name, message)
    : JSON.stringify({ error: name, error_description: message });
  response.writeHead(statusOf[code], {
    ...headers,
    // The rest of an unread body must not be parsed as the next request.
    connection: "close",
    ...(isForPerson ? { "content-security-policy": problemPagePolicy } : {}),
    "content-type": isForPerson ? "text/html; charset=utf-8" : "application/json; charset=utf-8",
  });
  response.end(body);
}

const names: Partial<Record<Refusal["code"], string>> = {
  conflict: "session_not_found",
  not_found: "not_found",
  rate_limited: "rate_limited",
  unavailable: "temporarily_unavailable",
};
