/** Assistants for tests: the protocol's own client, and documents for it to read. */
import { createHash } from "node:crypto";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { database } from "#lib/core/db.ts";
import { newId } from "#lib/core/ids.ts";
import type { Workspace } from "./fixtures.ts";

/** The revision without sessions, and an earlier one with them. */
export const revisions = ["2026-07-28", "2025-11-25"] as const;
export type Revision = (typeof revisions)[number];

// biome-ignore lint/suspicious/noExplicitAny: each test checks the parts of a response that it needs.
type Json = any;

export interface Assistant {
  client: Client;
  /** Calls a tool that must succeed; returns its data and its text for people. */
  use(tool: string, input?: object): Promise<{ data: Json; text: string }>;
  /** Calls a tool that must return an error. */
  refused(
    tool: string,
    input?: object,
  ): Promise<{ code: string; message: string; issues?: Json; text: string }>;
}

/** Connects an assistant with a key. */
export async function connect(
  key: string,
  revision: Revision = "2026-07-28",
  url = process.env.BASE_URL,
): Promise<Assistant> {
  const mode = revision === "2026-07-28" ? { pin: revision } : "legacy";
  const client = new Client({ name: "test", version: "1.0.0" }, { versionNegotiation: { mode } });
  const requestInit = { headers: { authorization: `Bearer ${key}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }));
  const call = async (name: string, input: object) => {
    const result = await client.callTool({ name, arguments: { ...input } });
    const [content] = result.content;
    const text = content?.type === "text" ? content.text : "";
    return { isError: result.isError === true, data: result.structuredContent as Json, text };
  };
  return {
    client,
    async use(name, input = {}) {
      const { isError, data, text } = await call(name, input);
      if (isError) throw new Error(text);
      return { data, text };
    },
    async refused(name, input = {}) {
      const { isError, data, text } = await call(name, input);
      if (!isError) throw new Error(`${name} was not refused: ${text}`);
      return { ...data.error, text };
    },
  };
}

/** Sends one raw message to /mcp, for requests that no client would send. */
export async function post(
  body: unknown,
  headers: Record<string, string> = {},
  method = "POST",
  url = process.env.BASE_URL,
) {
  const response = await fetch(`${url}/mcp`, {
    method,
    headers: {
      accept: "application/json, text/event-stream",
      ...(method === "POST" ? { "content-type": "application/json" } : {}),
      ...headers,
    },
    ...(method === "POST" ? { body: typeof body === "string" ? body : JSON.stringify(body) } : {}),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text };
}

export const listTools = { jsonrpc: "2.0", id: 1, method: "tools/list" };

/** Creates a version with these pages of text, as if its document had been read. */
export async function versionWith(
  { organizationId }: Workspace,
  contractId: string,
  pages: string[],
): Promise<string> {
  const { prisma } = database();
  const versionNumber = 1 + (await prisma.documentVersion.count({ where: { organizationId, contractId } }));
  const id = newId("version");
  const sha256 = createHash("sha256").update(id).digest("hex");
  await prisma.documentVersion.create({
    data: {
      organizationId,
      id,
      contractId,
      versionNumber,
      source: "UPLOADED",
      fileName: `agreement-${versionNumber}.pdf`,
      contentType: "application/pdf",
      sha256,
      sizeBytes: 1,
      pdfState: "READY",
      pdfSha256: sha256,
      pdfSizeBytes: 1,
      pageCount: pages.length,
      textState: "READY",
    },
  });
  await prisma.documentPage.createMany({
    data: pages.map((text, pageIndex) => ({ organizationId, versionId: id, pageIndex, text })),
  });
  return id;
}
