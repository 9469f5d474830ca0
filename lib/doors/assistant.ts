/**
 * The door for assistants: the Model Context Protocol at /mcp, for programs with an API key and for those that a
 * member connected. The checks are those of the public API, in its order: method and host, authentication, rate,
 * subscription, size and media type, JSON, scope, and then the tool's own.
 */

import { findGrant } from "#lib/assistants/tokens.ts";
import { retryDuringOutage } from "#lib/core/connections/retry.ts";
import type { Context } from "#lib/core/context.ts";
import { settings } from "#lib/core/env.ts";
import { invalid, Refusal } from "#lib/core/errors.ts";
import { assistantScopes, type Scope, scopesOf } from "#lib/core/scopes.ts";
import { bodyLimitBytes, jsonObject, readBody, refuseLength } from "#lib/http/body.ts";
import type { Admission } from "#lib/http/door.ts";
import type { ApiRequest, ApiResponse, Caller, ResponseHeaders } from "#lib/http/exchange.ts";
import { refuseOtherThanJson } from "#lib/http/input.ts";
import { limitRate } from "#lib/http/rate-limit.ts";
import { respond, subscriptionInactive } from "#lib/http/respond.ts";
import { wrongMethod } from "#lib/http/router.ts";
import { refuseForeignPage } from "#lib/http/same-origin.ts";
import type { McpHandler } from "#lib/mcp/handler.ts";
import { missingForResources } from "#lib/mcp/resources.ts";
import { findTool } from "#lib/mcp/tools/table.ts";
import { missingScopes } from "#lib/mcp/tools/tool.ts";
import { admitByKey, admitGrant } from "./admit.ts";

export const assistantPath = "/mcp";

/** Loaded with the first request: a server without assistants does not need it. */
const loadHandler = async () => (await import("#lib/mcp/handler.ts")).handleMcp;

/** Responds to one request, if assistants are enabled. Never throws. */
export function handleAssistantRequest(request: ApiRequest): Promise<ApiResponse> {
  if (settings().ASSISTANT === "on") return respondToAssistant(request, loadHandler);
  return respond(request, async () => {
    throw new Refusal("not_found", "Assistants are turned off on this server (ASSISTANT=off).");
  });
}

/** Responds to one request with the handler that `load` returns. Never throws. */
export function respondToAssistant(request: ApiRequest, load: () => Promise<McpHandler> = loadHandler) {
  return respond(request, async (caller, headers) => {
    const path = request.url.split("?", 1)[0];
    if (path !== assistantPath && path !== `${assistantPath}/`) {
      throw new Refusal("not_found", `There is nothing here. Assistants connect to ${assistantPath}.`);
    }
    if (request.method !== "POST") throw wrongMethod(request.method, ["POST"]);
    refuseForeignPage(request.header);
    const admission = await retryDuringOutage(() => admit(caller));
    const name = { now: "POST /mcp" };
    try {
      const response = await dispatch(request, admission, headers, load, name);
      admission.count?.(name.now, response.status >= 400);
      return response;
    } catch (error) {
      admission.count?.(name.now, true);
      throw error;
    }
  });
}

/** The caller, and the scopes to which a member's grant could be extended. */
type Admitted = Admission<Context> & { grantable?: readonly string[] };

/** An API key is sent in x-api-key, or where assistants send tokens; anything else there is a token. */
async function admit(caller: Caller): Promise<Admitted> {
  const [, bearer] = /^bearer +(\S+) *$/i.exec(caller.header("authorization") ?? "") ?? [];
  const key = caller.header("x-api-key")?.trim() || (bearer?.startsWith("csk_") ? bearer : undefined);
  if (key) return admitByKey(caller, key);
  if (!bearer) {
    const message = "Send an API key in the header x-api-key, or connect as a member by OAuth.";
    throw new Refusal("missing_api_key", message, {
      headers: challenge({ scope: assistantScopes.join(" ") }),
    });
  }
  const grant = await findGrant(bearer);
  if (!grant) {
    const message = "The access token is not valid: it is expired or revoked. Connect again.";
    throw new Refusal("invalid_api_key", message, { headers: challenge({ error: "invalid_token" }) });
  }
  const isAllowed = (scope: Scope) => grant.policy === "as_granted" || scope.endsWith(":read");
  const grantable = assistantScopes.filter(
    (scope) => scopesOf[grant.role].includes(scope) && isAllowed(scope),
  );
  return { ...admitGrant(caller, grant), grantable };
}

/** Tells a client where to ask for access, or for more of it (RFC 6750, RFC 9728). */
function challenge(parameters: Record<string, string>): { "www-authenticate": string } {
  const metadata = `${settings().BASE_URL}/.well-known/oauth-protected-resource${assistantPath}`;
  const all = Object.entries({ ...parameters, resource_metadata: metadata });
  return { "www-authenticate": `Bearer ${all.map(([name, value]) => `${name}="${value}"`).join(", ")}` };
}

async function dispatch(
  request: ApiRequest,
  { ctx, subscriptionStatus, grantable }: Admitted,
  headers: ResponseHeaders,
  load: () => Promise<McpHandler>,
  name: { now: string },
): Promise<ApiResponse> {
  await limitRate(ctx.assistant?.id ?? ctx.actor.id, ctx.now, headers);
  if (subscriptionStatus !== "active") throw subscriptionInactive();
  refuseLength(request, bodyLimitBytes);
  refuseOtherThanJson(request);
  const body = jsonObject(await readBody(request, bodyLimitBytes));
  refuseDeep(body);
  const called = calledBy(body);
  if (called.name) name.now = called.name;
  if (grantable) requestScopes(called.missing(ctx.scopes), grantable, ctx.scopes);
  const handle = await load();
  return answer(await handle(webRequest(request, headers), body, ctx), headers);
}

/** Several times as deep as any tool's input: the protocol's schemas are walked recursively. */
const maxDepth = 64;

function refuseDeep(body: object): void {
  let level: unknown[] = [body];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxDepth) {
      throw invalid({ path: "", message: `must not be nested more than ${maxDepth} deep` });
    }
    level = level.flatMap((value) =>
      value !== null && typeof value === "object" ? Object.values(value) : [],
    );
  }
}

/** The name under which a message is counted, and the scopes that it needs. */
function calledBy({ method, params }: Record<string, unknown>) {
  const name = (params as { name?: unknown } | undefined)?.name;
  const tool = method === "tools/call" && typeof name === "string" ? findTool(name) : undefined;
  if (tool) {
    return { name: `MCP ${tool.name}`, missing: (scopes: readonly string[]) => missingScopes(tool, scopes) };
  }
  return {
    name: method === "resources/read" ? "MCP resources/read" : undefined,
    missing: method === "resources/read" ? missingForResources : () => [],
  };
}

/**
 * If the member could grant the missing scopes, tells the client in the protocol's way; otherwise the tool says why
 * not. A client that asks again gets only what it then asks for, so the current scopes are named too.
 */
function requestScopes(missing: string[], grantable: readonly string[], there: readonly string[]): void {
  if (missing.length === 0 || !missing.every((scope) => grantable.includes(scope))) return;
  const scope = [...there, ...missing].join(" ");
  throw new Refusal(
    "insufficient_scope",
    `This needs the scope${missing.length > 1 ? "s" : ""} ${missing.join(" and ")}, which was not granted. Connect again and grant it.`,
    { headers: challenge({ error: "insufficient_scope", scope }) },
  );
}

/** The headers that the protocol reads; the caller is authenticated already. */
function webRequest({ header, url, gone }: ApiRequest, { "x-request-id": id }: ResponseHeaders): Request {
  const names = [
    "accept",
    "content-type",
    "mcp-protocol-version",
    "mcp-method",
    "mcp-name",
    "mcp-session-id",
  ];
  const headers = new Headers({ "x-request-id": id ?? "" });
  for (const name of names) {
    const value = header(name);
    if (value !== undefined) headers.set(name, value);
  }
  return new Request(new URL(url, settings().BASE_URL), { method: "POST", headers, signal: gone() });
}

async function answer(response: Response, headers: ResponseHeaders): Promise<ApiResponse> {
  for (const [name, value] of response.headers) headers[name] = value;
  const body = response.body === null ? null : Buffer.from(await response.arrayBuffer());
  headers["content-length"] = String(body?.length ?? 0);
  return { status: response.status, headers, body };
}
