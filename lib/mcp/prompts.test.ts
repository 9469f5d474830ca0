/** What the written-out questions say to an assistant. */
import { expect, test } from "@playwright/test";
import { type Context, systemContext } from "#lib/core/context.ts";
import { scopesOf } from "#lib/core/scopes.ts";
import { getPrompt } from "./prompts.ts";

const told = (actor: Context["actor"], name: string, given = {}) => {
  const ctx: Context = { ...systemContext("org_none"), actor, scopes: scopesOf.owner };
  return getPrompt(ctx, name, given)!.messages[0]!.content.text;
};
const person = { kind: "user", id: "usr_ada", name: "Ada", email: "a@example.com", role: "owner" } as const;
const key = { kind: "api_key", id: "key_one", name: "One" } as const;

test("what_needs_me asks for the member's own work, or with an API key for everyone's", () => {
  const mine = told(person, "what_needs_me");
  expect(mine).toContain("list_obligations (assigneeId usr_ada, which is me)");
  expect(mine).toContain("search_contracts (ownerId usr_ada)");
  expect(told(key, "what_needs_me")).not.toMatch(/assigneeId|ownerId|key_one/);
});

test("review_against_template has the assistant read the template's own sections", () => {
  const text = told(person, "review_against_template", { contractId: "ctr_1", templateId: "tpl_1" });
  expect(text).toContain("list_templates (templateId). It quotes what the template's sections say");
});
