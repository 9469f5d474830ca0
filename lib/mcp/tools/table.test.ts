/** What assistants can reach, and what it costs to be told of it. */
import { expect, test } from "@playwright/test";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import type { z } from "zod";
import { contracts } from "#lib/contracts/operations.ts";
import { type Context, systemContext } from "#lib/core/context.ts";
import { hasWriteScope, onlyReads } from "#lib/core/operation.ts";
import { assistantScopes, scopes, scopesOf } from "#lib/core/scopes.ts";
import { namedOperations } from "#lib/operations.ts";
import { describeTools } from "./describe.ts";
import { findTool, tools } from "./table.ts";
import { callerFor, missingScopes, operationsOf } from "./tool.ts";

const all = scopesOf.owner;
const byOperation = new Map(namedOperations().map(([name, { operation }]) => [operation, name]));

test("there are exactly sixteen tools, with these names", () => {
  const names =
    "search_contracts get_contract read_document compare_versions list_obligations save_obligation find_counterparties get_counterparty create_contract update_contract set_contract_status list_signature_requests get_signature_request list_templates get_analytics list_audit_events";
  expect(tools.map(({ name }) => name)).toEqual(names.split(" "));
  for (const tool of tools) expect(findTool(tool.name)).toBe(tool);
});

test("no tool reaches an operation that sends, signs, exports or deletes, or manages keys, members or webhooks", () => {
  const forbidden =
    /^(signatures|members|webhooks|templates|keys|workspace):write$|^keys:|^webhooks:|^members:|^data:/;
  for (const tool of tools) {
    for (const operation of operationsOf(tool)) {
      const name = byOperation.get(operation);
      expect(name, `${tool.name} uses what is no operation: ${operation.summary}`).toBeDefined();
      expect(name).not.toMatch(
        /remove|delete|discard|revoke|archive|send|void|remind|invite|download|Url|pdf/i,
      );
      expect(operation.scopes.length, `${name} asks for no scope`).toBeGreaterThan(0);
      const reached = operation.scopes.filter((scope: string) => forbidden.test(scope));
      expect(reached, `${tool.name} by ${name}`).toEqual([]);
    }
  }
});

test("a tool cannot reach an operation that the table does not name for it", async () => {
  for (const tool of tools) {
    const caller = callerFor(systemContext("org_none"), operationsOf(tool));
    for (const [, { operation }] of namedOperations()) {
      if (operationsOf(tool).includes(operation)) continue;
      for (const reach of [caller.ask, caller.create]) {
        await expect(async () => reach(operation, {} as never)).rejects.toThrow(
          "is not named by what uses it",
        );
      }
    }
  }
});

test("an operation checks its scopes even if a tool is called without being listed", async () => {
  const ctx: Context = { ...systemContext("org_none"), scopes: ["obligations:read"] };
  await expect(async () => callerFor(ctx, [contracts.read]).ask(contracts.read, { id: "x" })).rejects.toThrow(
    "contracts:read",
  );
});

test("readOnlyHint is set for exactly the tools whose operations only read", () => {
  const described = describeTools(all);
  expect(described).toHaveLength(tools.length);
  for (const tool of tools) {
    const { annotations } = described.find(({ name }) => name === tool.name)!;
    const reads = operationsOf(tool).every((operation) => !hasWriteScope(operation) && onlyReads(operation));
    expect(annotations.readOnlyHint, tool.name).toBe(reads);
  }
  const writing = described.filter(({ annotations }) => !annotations.readOnlyHint);
  expect(
    writing.map(({ name, annotations }) => [name, annotations.destructiveHint, annotations.idempotentHint]),
  ).toEqual([
    ["save_obligation", true, false],
    ["create_contract", false, false],
    ["update_contract", true, true],
    ["set_contract_status", true, false],
  ]);
});

test("exactly the tools whose scopes are granted are listed, and all of them with every assistant scope", () => {
  expect(describeTools(assistantScopes)).toHaveLength(tools.length);
  expect(describeTools([])).toEqual([]);
  for (const scope of scopes) {
    const without = scopes.filter((one) => one !== scope);
    const told = describeTools(without).map(({ name }) => name);
    const expected = tools
      .filter((tool) => missingScopes(tool, without).length === 0)
      .map(({ name }) => name);
    expect(told).toEqual(expected);
    for (const name of told) {
      expect(findTool(name)!.uses.some((operation) => operation.scopes.includes(scope))).toBe(false);
    }
  }
});

test("the list of all tools costs at most 5,000 tokens", () => {
  expect(countTokens(JSON.stringify({ tools: describeTools(all) }))).toBeLessThanOrEqual(5000);
});

test("every tool has a title, a description, a closed input schema and more than one output field", () => {
  for (const { title, description, inputSchema } of describeTools(all)) {
    expect(title).toMatch(/^[A-Z][a-z' ]+$/);
    expect(description).toMatch(/\.$/);
    expect(inputSchema.additionalProperties).toBe(false);
  }
  // Text from outside has one way in: the answers.
  for (const { output } of tools)
    expect(Object.keys((output as z.ZodObject).shape).length).toBeGreaterThan(1);
});
