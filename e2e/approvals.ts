/** Members who request and give approvals in tests: each acts in their own context, without a browser. */
import { randomUUID } from "node:crypto";
import type { Context } from "#lib/core/context.ts";
import { execute } from "#lib/core/execute.ts";
import type { Role } from "#lib/core/scopes.ts";
import type { InputOf, OperationName } from "#lib/doors/client.ts";
import { namedOperations } from "#lib/operations.ts";
import { uploadJson } from "./documents.ts";
import { expect, type Workspace } from "./fixtures.ts";
import { newMember } from "./members.ts";
import { pdf } from "./signing.ts";

// biome-ignore lint/suspicious/noExplicitAny: each test checks the parts of a response that it needs.
type Json = any;

const operations = new Map(namedOperations());

export interface Colleague {
  id: string;
  memberId: string;
  name: string;
  ctx: Context;
  /** Runs an operation; throws the error if it is rejected. */
  does<Name extends OperationName>(name: Name, input: InputOf<Name>): Promise<Json>;
  /** Runs an operation; returns its error code and message, or the code `done` if it is not rejected. */
  refused<Name extends OperationName>(
    name: Name,
    input: InputOf<Name>,
  ): Promise<{ code: string; message: string }>;
}

export async function colleague(workspace: Workspace, role: Role, name: string): Promise<Colleague> {
  const { userId: id, memberId, email } = await newMember(workspace, role, name);
  const ctx: Context = { ...workspace.ctx, actor: { kind: "user", id, name, email, role } };
  const does: Colleague["does"] = (operation, input) =>
    execute(operations.get(operation)!.operation, { ...ctx, now: new Date() }, input);
  return {
    ...{ id, memberId, name, ctx, does },
    async refused(operation, input) {
      const error = await does(operation, input).then(
        () => ({ code: "done", message: "" }),
        (refusal) => refusal,
      );
      const { code, message } = error;
      return { code, message };
    },
  };
}

/** Uploads a new document to a contract and returns the version's id. */
export async function addDocument({ api }: Workspace, contractId: string): Promise<string> {
  const bytes = Buffer.from(await pdf(1));
  const document = { fileName: `${randomUUID()}.pdf`, contentType: "application/pdf", bytes };
  const { status, body } = await uploadJson(api, contractId, document);
  expect(status).toBe(201);
  return body.version.id;
}

/** Returns the audit events about a contract's approvals and status, oldest first, such as `APPROVAL_GIVEN Ada`. */
export async function told({ api }: Workspace, contractId: string): Promise<string[]> {
  const { body } = await api(`GET /audit-events?contractId=${contractId}&limit=200`);
  return body.data
    .filter(({ action }: Json) => action.startsWith("APPROVAL_") || action === "CONTRACT_STATUS_CHANGED")
    .map(({ action, actor, apiKey, payload }: Json) => {
      const who = actor?.name ?? (apiKey ? "key" : "system");
      return [action, payload.changes?.status?.to, who].filter(Boolean).join(" ");
    })
    .reverse();
}
