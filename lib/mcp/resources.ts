/** Resources that assistants can attach to a conversation: contracts, and the text of their documents. */
import { contracts } from "#lib/contracts/operations.ts";
import type { Context } from "#lib/core/context.ts";
import { notFound } from "#lib/core/errors.ts";
import { parseInput } from "#lib/core/execute.ts";
import { getContract } from "./tools/contracts.ts";
import { readDocument } from "./tools/documents.ts";
import { type AnyTool, callerFor, missingScopes, operationsOf } from "./tools/tool.ts";

const contractUri = (id: string) => `countersign://contracts/${id}`;
const versionUri = (contractId: string, id: string) => `${contractUri(contractId)}/versions/${id}`;

const mimeType = "text/plain";

export const resourceTemplates = [
  {
    uriTemplate: contractUri("{contractId}"),
    name: "contract",
    title: "Contract",
    description: "A contract with its dates, document versions and next obligations",
    mimeType,
  },
  {
    uriTemplate: `${versionUri("{contractId}", "{versionId}")}{?page}`,
    name: "version",
    title: "Document text",
    description: "The text of a document version, from a page on",
    mimeType,
  },
];

/** Lists only the first contracts: those that people worked on last. */
const shown = 20;

export async function listResources(ctx: Context) {
  if (!ctx.scopes.includes("contracts:read")) return [];
  const { data } = await callerFor(ctx, [contracts.list]).ask(contracts.list, {});
  return data.slice(0, shown).map(({ id, title }) => ({ uri: contractUri(id), name: id, title, mimeType }));
}

const pattern =
  /^countersign:\/\/contracts\/([a-z0-9_]{1,100})(?:\/versions\/([a-z0-9_]{1,100}))?(?:\?page=(\d{1,6}))?$/;

/** Reads a resource as text. Text that does not fit is left out, and the result says so. */
export async function readResource(ctx: Context, uri: string) {
  const [, contractId, versionId, page] = pattern.exec(uri) ?? [];
  if (contractId === undefined || (page && !versionId)) throw notFound("resource");
  const text = versionId
    ? await textOf(ctx, readDocument, { contractId, versionId, ...(page ? { page: Number(page) } : {}) })
    : await textOf(ctx, getContract, { contractId });
  return { uri, mimeType, text };
}

async function textOf(ctx: Context, tool: AnyTool, input: Record<string, unknown>): Promise<string> {
  parseInput(tool.input, input);
  return (await tool.run(callerFor(ctx, operationsOf(tool)), input)).text;
}

/** Returns the scopes that a caller lacks for reading any resource. */
export const missingForResources = (scopes: readonly string[]) => missingScopes(getContract, scopes);
