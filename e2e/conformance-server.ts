/**
 * The assistant server as the protocol's conformance suite expects it: with the usual door and handler, and, besides
 * the product's own, the tools, resources and prompts that the suite requests by name. The suite sends no key, so each
 * request gets the one in KEY.
 */
import "./strict.ts";
import { createServer } from "node:http";
import {
  type CallToolResult,
  type GetPromptResult,
  MissingRequiredClientCapabilityError,
  type ReadResourceResult,
  type Server,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import type { Context } from "#lib/core/context.ts";
import { settings } from "#lib/core/env.ts";
import { respondToAssistant } from "#lib/doors/assistant.ts";
import { serveBy } from "#lib/doors/node.ts";
import { callTool } from "#lib/mcp/call.ts";
import { mcpHandler } from "#lib/mcp/handler.ts";
import { getPrompt, listPrompts } from "#lib/mcp/prompts.ts";
import { listResources, readResource, resourceTemplates } from "#lib/mcp/resources.ts";
import { assistantServer, withProtocolErrors } from "#lib/mcp/server.ts";
import { describeTools } from "#lib/mcp/tools/describe.ts";
import { findTool } from "#lib/mcp/tools/table.ts";

const key = z.string().parse(process.env.KEY);

/** A PNG of one pixel, and the header of a WAV. */
const pixel =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const sound = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAESsAABErAAABAAgAZGF0YQAAAAA=";

const text = (words: string) => ({ type: "text" as const, text: words });
const image = { type: "image" as const, data: pixel, mimeType: "image/png" };
const resource = (uri: string, words: string) => ({
  type: "resource" as const,
  resource: { uri, mimeType: "text/plain", text: words },
});

type Notify = (progress: number) => Promise<void>;

const tools: Record<
  string,
  (notify: Notify, input: Record<string, unknown>) => CallToolResult | Promise<CallToolResult>
> = {
  test_simple_text: () => ({ content: [text("This is a simple text response for testing.")] }),
  test_image_content: () => ({ content: [image] }),
  test_audio_content: () => ({ content: [{ type: "audio", data: sound, mimeType: "audio/wav" }] }),
  test_embedded_resource: () => ({ content: [resource("test://embedded-resource", "This is embedded.")] }),
  test_multiple_content_types: () => ({
    content: [text("Several kinds of content:"), image, resource("test://mixed-content-resource", "{}")],
  }),
  test_error_handling: () => ({
    isError: true,
    content: [text("This tool intentionally returns an error for testing")],
  }),
  test_tool_with_progress: async (notify) => {
    for (const progress of [0, 50, 100]) await notify(progress);
    return { content: [text("Done.")] };
  },
  test_missing_capability: () => {
    throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { sampling: {} } });
  },
  json_schema_2020_12_tool: () => ({ content: [text("Done.")] }),
};

const $schema = "https://json-schema.org/draft/2020-12/schema";
const inputSchemas: Record<string, { type: "object"; [name: string]: unknown }> = {
  json_schema_2020_12_tool: {
    $schema,
    type: "object",
    $defs: {
      address: {
        $anchor: "addressDef",
        type: "object",
        properties: { street: { type: "string" }, city: { type: "string" } },
      },
    },
    properties: {
      name: { type: "string" },
      address: { $ref: "#/$defs/address" },
      contactMethod: { type: "string", enum: ["phone", "email"] },
      phone: { type: "string" },
      email: { type: "string" },
    },
    allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
    if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
    then: { required: ["phone"] },
    else: { required: ["email"] },
    additionalProperties: false,
  },
};

const resources: Record<string, ReadResourceResult["contents"][number]> = {
  "test://static-text": {
    uri: "test://static-text",
    mimeType: "text/plain",
    text: "This is the content of the static text resource.",
  },
  "test://static-binary": { uri: "test://static-binary", mimeType: "image/png", blob: pixel },
};

function templated(uri: string): ReadResourceResult["contents"][number] | undefined {
  const [, id] = /^test:\/\/template\/(\w+)\/data$/.exec(uri) ?? [];
  if (!id) return undefined;
  return { uri, mimeType: "application/json", text: JSON.stringify({ id, templateTest: true }) };
}

type Messages = GetPromptResult["messages"];
const said = (content: Messages[number]["content"]): Messages[number] => ({ role: "user", content });

const prompts: Record<string, { arguments?: string[]; messages(given: Record<string, string>): Messages }> = {
  test_simple_prompt: { messages: () => [said(text("This is a simple prompt for testing."))] },
  test_prompt_with_arguments: {
    arguments: ["arg1", "arg2"],
    messages: ({ arg1, arg2 }) => [said(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`))],
  },
  test_prompt_with_embedded_resource: {
    arguments: ["resourceUri"],
    messages: ({ resourceUri = "" }) => [
      said(resource(resourceUri, "Embedded resource content for testing.")),
      said(text("Please process the embedded resource above.")),
    ],
  },
  test_prompt_with_image: {
    messages: () => [said(image), said(text("Please analyze the image above."))],
  },
};

function withFixtures(ctx: Context): Server {
  const server = assistantServer(ctx);
  server.setRequestHandler("tools/list", () => ({
    tools: [
      ...Object.keys(tools).map((name) => ({
        name,
        description: "A fixture",
        inputSchema: inputSchemas[name] ?? { type: "object" as const },
      })),
      ...describeTools(ctx.scopes),
    ],
  }));
  server.setRequestHandler("tools/call", ({ params }, { mcpReq }) => {
    const progressToken = params._meta?.progressToken;
    const notify: Notify = async (progress) => {
      if (progressToken === undefined) return;
      await mcpReq.notify({
        method: "notifications/progress",
        params: { progressToken, progress, total: 100 },
      });
    };
    const fixture = tools[params.name];
    if (fixture) return fixture(notify, params.arguments ?? {});
    return callTool(ctx, findTool(params.name)!, params.arguments ?? {});
  });
  server.setRequestHandler("resources/list", async () => ({
    resources: [...Object.keys(resources).map((uri) => ({ uri, name: uri })), ...(await listResources(ctx))],
  }));
  server.setRequestHandler("resources/templates/list", () => ({
    resourceTemplates: [{ uriTemplate: "test://template/{id}/data", name: "template" }, ...resourceTemplates],
  }));
  server.setRequestHandler("resources/read", async ({ params: { uri } }) => {
    const fixture = resources[uri] ?? templated(uri);
    return { contents: [fixture ?? (await withProtocolErrors(ctx, () => readResource(ctx, uri), uri))] };
  });
  server.setRequestHandler("prompts/list", () => ({
    prompts: [
      ...Object.entries(prompts).map(([name, { arguments: names = [] }]) => ({
        name,
        description: "A fixture",
        arguments: names.map((argument) => ({ name: argument, description: "Any", required: true })),
      })),
      ...listPrompts(ctx.scopes),
    ],
  }));
  server.setRequestHandler("prompts/get", ({ params }) => {
    const fixture = prompts[params.name];
    if (fixture) return { messages: fixture.messages(params.arguments ?? {}) };
    return getPrompt(ctx, params.name, params.arguments ?? {})!;
  });
  return server;
}

const handler = mcpHandler(withFixtures);

createServer((request, response) =>
  serveBy(
    (asked) => {
      const header = (name: string) => (name === "x-api-key" ? key : asked.header(name));
      return respondToAssistant({ ...asked, header }, async () => handler);
    },
    request,
    response,
  ).catch(() => response.destroy()),
).listen(settings().PORT, settings().HOST, () => process.stdout.write("ready\n"));
