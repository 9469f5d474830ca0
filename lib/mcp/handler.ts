/**
 * The protocol (MCP) over HTTP. Each request is handled by its own server, which lives only as long as the request.
 * Revisions from 2026-07-28 on are stateless; clients of earlier ones are served without a session.
 */
import {
  createMcpHandler,
  isLegacyRequest,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import type { Context } from "#lib/core/context.ts";
import { log } from "#lib/core/log.ts";
import { assistantServer } from "./server.ts";

/** Handles a request whose body has already been read. */
export type McpHandler = (request: Request, body: unknown, ctx: Context) => Promise<Response>;

/** Returns a handler that creates a server with `makeServer` for each request. */
export function mcpHandler(makeServer: (ctx: Context) => Server): McpHandler {
  const onerror = (error: Error) => log().debug({ error: error.message }, "assistant request refused");
  const modern = createMcpHandler(({ authInfo }) => makeServer(authInfo?.extra?.ctx as Context), {
    legacy: "reject",
    onerror,
  });
  return async (request, body, ctx) => {
    if (await isLegacyRequest(request, body)) return legacy(request, body, makeServer(ctx));
    // The SDK passes this on to `makeServer`, and does not check it itself.
    const authInfo = { token: "", clientId: "", scopes: [...ctx.scopes], extra: { ctx } };
    const response = await modern.fetch(request, { parsedBody: body, authInfo });
    const isListening = (body as { method?: unknown }).method === "subscriptions/listen";
    return isListening ? acknowledged(response) : response;
  };
}

/**
 * Acknowledges a subscription and ends its stream: nothing here changes while a client listens, and idle connections
 * could be opened by the thousand.
 */
async function acknowledged(response: Response): Promise<Response> {
  const reader = response.body?.getReader();
  const first = await reader?.read();
  await reader?.cancel();
  return new Response(first?.value ?? null, response);
}

/**
 * Serves the revisions of 2025: the same server behind the earlier transport, which responds in JSON and keeps no
 * session.
 */
async function legacy(request: Request, body: unknown, server: Server): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: undefined,
    enableJsonResponse: true,
  });
  await server.connect(transport);
  try {
    return await transport.handleRequest(request, { parsedBody: body });
  } finally {
    await server.close();
  }
}

export const handleMcp = mcpHandler(assistantServer);
