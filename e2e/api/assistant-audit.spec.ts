/** Whom the audit log names when a member acts through an assistant. */
import { verifyAudit } from "#lib/audit/verify.ts";
import type { Context } from "#lib/core/context.ts";
import { database } from "#lib/core/db.ts";
import { execute } from "#lib/core/execute.ts";
import { findOperation } from "#lib/operations.ts";
import { connect } from "../assistant.ts";
import { behindItsBack } from "../attacks/tampering.ts";
import { expect, newWorkspace, type Workspace } from "../fixtures.ts";
import { memberOf } from "../signing.ts";
import { received, subscribe, test } from "../webhooks.ts";

const assistant = { id: "agr_01jz3m5k8pe9qs4vnhb6w2x0ra", name: "Claude" };

const patch = (ctx: Context, id: string, title: string) =>
  execute(findOperation("contracts.patch")!.operation, ctx, { id, title });

/** Creates a contract with a key, changes it as a member, and again as that member through an assistant. */
async function changedThrice(workspace: Workspace): Promise<string> {
  const { id } = await workspace.contract();
  const member = memberOf(workspace);
  await patch(member, id, "By hand");
  await patch({ ...member, assistant }, id, "By assistant");
  return id;
}

test("an assistant's change names member and assistant in the audit log, activity, webhooks and tool responses", async ({
  workspace,
  receiver,
}) => {
  await subscribe(workspace, receiver, { events: ["contract.updated"] });
  const id = await changedThrice(workspace);
  const log = await workspace.api(`GET /audit-events?contractId=${id}`);
  expect(log.body.data).toMatchObject([
    { actor: { id: workspace.ownerId, name: "Olive Owner" }, apiKey: null, assistant },
    { actor: { id: workspace.ownerId }, assistant: null },
    { actor: null, apiKey: { id: workspace.keyId }, assistant: null },
  ]);
  expect(log.body.data[0].payload).not.toHaveProperty("assistant");
  const activity = await execute(findOperation("contracts.activity")!.operation, memberOf(workspace), { id });
  expect(activity.data.map(({ by }: { by: object }) => by)).toEqual([
    { kind: "USER", name: "Olive Owner", assistant: "Claude" },
    { kind: "USER", name: "Olive Owner", assistant: null },
    { kind: "API_KEY", name: "Test full_access", assistant: null },
  ]);
  const { use } = await connect(workspace.key);
  const told = await use("list_audit_events", { contractId: id });
  expect(told.data.events).toMatchObject([
    { by: "Olive Owner", assistant: "Claude" },
    { by: "Olive Owner", assistant: null },
    { by: "the API key Test full_access", assistant: null },
  ]);
  expect(told.text).toContain("by “Olive Owner”, via “Claude”.");
  const events = await received(receiver, 2);
  const actors = events.map(({ event }) => event.actor);
  expect(actors).toContainEqual({ kind: "USER", id: workspace.ownerId, assistant });
  expect(actors).toContainEqual({ kind: "USER", id: workspace.ownerId, assistant: null });
});

test("the audit log can be filtered by via=assistant, and via=user leaves out what assistants did", async ({
  workspace,
}) => {
  const id = await changedThrice(workspace);
  const found = async (via: string) =>
    (await workspace.api(`GET /audit-events?contractId=${id}&via=${via}`)).body.data.map(
      ({ assistant, apiKey }: { assistant: object | null; apiKey: object | null }) =>
        assistant ? "assistant" : apiKey ? "key" : "member",
    );
  expect(await found("assistant")).toEqual(["assistant"]);
  expect(await found("user")).toEqual(["member"]);
  expect(await found("api")).toEqual(["key"]);
});

test("the hash chain verifies with events by assistants, and breaks if another or no assistant is named", async () => {
  const workspace = await newWorkspace();
  const id = await changedThrice(workspace);
  const { organizationId } = workspace;
  expect(await verifyAudit(organizationId)).toMatchObject({ ok: true, problem: null });
  const [row] = await database().prisma.$queryRaw<{ seq: bigint; payload: string }[]>`
    SELECT seq, payload::text FROM audit_events
    WHERE organization_id = ${organizationId} AND contract_id = ${id} AND payload::jsonb ? 'assistant'`;
  const { seq, payload } = row!;
  const write = (text: string) =>
    behindItsBack(
      (tx) =>
        tx.$executeRaw`UPDATE audit_events SET payload = ${text}::json WHERE organization_id = ${organizationId} AND seq = ${seq}`,
    );
  const { assistant: _, ...without } = JSON.parse(payload);
  for (const forged of [payload.replace("Claude", "Claudia"), JSON.stringify(without)]) {
    expect(forged).not.toBe(payload);
    await write(forged);
    const { ok, problem } = await verifyAudit(organizationId);
    expect([ok, problem?.seq]).toEqual([false, String(seq)]);
  }
  await write(payload);
  expect(await verifyAudit(organizationId)).toMatchObject({ ok: true, problem: null });
});
