/**
 * The protocol over HTTP: each request is answered on its own, by a server that lives as long as it does. Revisions
 * from 2026-07-28 on are stateless by themselves; clients of earlier ones are served without a session.
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

/** Answers a request whose body has been read. */
export type McpHandler = (request: Request, body: unknown, ctx: Context) => Promise<Response>;

/** The handler of servers that `makeServer` makes, one a request. */
export function mcpHandler(makeServer: (ctx: Context) => Server): McpHandler {
  const onerror = (error: Error) => log().debug({ error: error.message }, "assistant request refused");
  const modern = createMcpHandler(({ authInfo }) => makeServer(authInfo?.extra?.ctx as Context), {
    legacy: "reject",
    onerror,
  });
  return async (request, body, ctx) => {
    if (await isLegacyRequest(request, body)) return legacy(request, body, makeServer(ctx));
    // The SDK's own way to hand on who was let in; it looks at none of it.
    const authInfo = { token: "", clientId: "", scopes: [...ctx.scopes], extra: { ctx } };
    const response = await modern.fetch(request, { parsedBody: body, authInfo });
    const isListening = (body as { method?: unknown }).method === "subscriptions/listen";
    return isListening ? acknowledged(response) : response;
  };
}

/**
 * Nothing here changes while a client listens, and connections that say nothing can be had by the thousand: the
 * subscription is acknowledged, and its stream ends.
 */
async function acknowledged(response: Response): Promise<Response> {
  const reader = response.body?.getReader();
  const first = await reader?.read();
  await reader?.cancel();
  return new Response(first?.value ?? null, response);
}

/** Of 2025: the same server behind the transport of that time, which answers in JSON and keeps no session. */
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
