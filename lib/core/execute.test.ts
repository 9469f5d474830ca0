import { expect, test } from "@playwright/test";
import type { Context } from "./context.ts";
import { authorize } from "./execute.ts";
import { type Role, type Scope, scopesOf } from "./scopes.ts";

const user = { kind: "user" as const, id: "usr_1", name: "Ada", email: "ada@test.example" };

/** The refusal that a member with this role gets when acting through an assistant with these scopes. */
function refusal(role: Role, granted: Scope[], needed: Scope[]) {
  const scopes = granted.filter((scope) => scopesOf[role].includes(scope));
  const ctx = { actor: { ...user, role }, assistant: { id: "agr_1", name: "Claude" }, scopes };
  try {
    authorize({ scopes: needed }, ctx as unknown as Context);
    return null;
  } catch (error) {
    const { code, message } = error as { code: string; message: string };
    return `${code}: ${message}`;
  }
}

test("an assistant's refusal names the scope that it was not granted", () => {
  expect(refusal("member", ["contracts:read"], ["contracts:write", "contracts:read"])).toBe(
    "insufficient_scope: This needs the scope contracts:write, which this assistant was not granted in this workspace.",
  );
  expect(refusal("member", ["contracts:read"], ["contracts:read"])).toBeNull();
});

test("if the member's role lacks a scope, the assistant's refusal names the role instead", () => {
  const told = "forbidden: This requires the role owner or admin or member. Yours is viewer.";
  expect(refusal("viewer", ["contracts:write"], ["contracts:write"])).toBe(told);
  expect(refusal("viewer", [], ["contracts:read", "contracts:write"])).toBe(told);
});
