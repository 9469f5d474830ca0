/** Which contracts need approval, who gives it, and what waits for it. */
import { approvals } from "#lib/approvals/operations.ts";
import type { ContractStatus } from "#lib/contracts/lifecycle.ts";
import { contracts } from "#lib/contracts/operations.ts";
import type { Context } from "#lib/core/context.ts";
import { dayOf } from "#lib/core/dates.ts";
import { database } from "#lib/core/db.ts";
import { provideSettings } from "#lib/core/env.ts";
import { execute } from "#lib/core/execute.ts";
import { approvalsDue } from "#lib/notifications/daily.ts";
import { remindedOfStep, unsentItems } from "#lib/notifications/items.ts";
import { sendApprovals } from "#lib/notifications/send.ts";
import { addDocument, type Colleague, colleague, told } from "../approvals.ts";
import { expect, test, type Workspace } from "../fixtures.ts";
import { asMember, fieldsOf } from "../signing.ts";
import { templateIn } from "../templates.ts";

// biome-ignore lint/suspicious/noExplicitAny: each test checks the parts of a response that it needs.
type Json = any;

/** An admin who creates rules, some members, and a rule that applies to every contract. */
async function people(workspace: Workspace) {
  const [admin, ada, grace] = await Promise.all([
    colleague(workspace, "admin", "Adam Admin"),
    colleague(workspace, "member", "Ada"),
    colleague(workspace, "member", "Grace"),
  ]);
  return { admin, ada, grace };
}

const rule = async ({ does }: Colleague, steps: object[], conditions: object = {}, name = "Rule") =>
  (await does("approvalRules.create", { name, steps, conditions } as Json)).rule;

const found = ({ does }: Colleague, id: string): Promise<Json> => does("approvals.ofContract", { id });

const statusOf = async ({ api }: Workspace, id: string) =>
  (await api(`GET /contracts/${id}`)).body.contract.status;

const setStatus = ({ does }: Colleague, id: string, next: ContractStatus) =>
  does("contracts.setStatus", { id, next });

/** Creates a complete draft of a signature request; returns its id. */
async function requestFor(
  { ctx }: Colleague,
  contractId: string,
  documentVersionId: string,
): Promise<string> {
  const { envelope } = await asMember(ctx, "createDraft", { contractId, documentVersionId });
  const signers = [{ name: "Ann", email: "ann@signers.example" }];
  const saved = await asMember(ctx, "updateDraft", { envelopeId: envelope.id, signers });
  const fields = fieldsOf(saved.envelope.signers[0].id, 0).slice(0, 1);
  await asMember(ctx, "updateDraft", { envelopeId: envelope.id, fields });
  return envelope.id;
}

test("required approvals bind members and assistants, whatever an API key sets, and refusals name who is missing", async ({
  workspace,
}) => {
  const { admin, ada, grace } = await people(workspace);
  const { id } = await workspace.contract({ title: "Master agreement" });
  await setStatus(ada, id, "APPROVED");
  await setStatus(ada, id, "IN_REVIEW");
  await rule(admin, [{ userIds: [ada.id] }, { needs: "ALL", userIds: [grace.id, admin.id] }]);
  const versionId = await addDocument(workspace, id);
  const missing = "The approval of Ada, then of Adam Admin and Grace is missing.";
  expect(await ada.refused("contracts.setStatus", { id, next: "APPROVED" })).toEqual({
    code: "approval_needed",
    message: `${missing} Request it on the contract's page.`,
  });
  const { approval } = await grace.does("approvals.request", { id });
  const byAssistant: Context = { ...ada.ctx, assistant: { id: "agr_x", name: "Claude" } };
  const asked = execute(contracts.setStatus, byAssistant, { id, next: "APPROVED" });
  await expect(asked).rejects.toMatchObject({ code: "approval_needed", message: missing });
  expect((await workspace.api(`POST /contracts/${id}/status`, { body: { next: "APPROVED" } })).status).toBe(
    200,
  );
  const envelopeId = await requestFor(ada, id, versionId);
  const findings = await asMember(ada.ctx, "check", { envelopeId });
  expect(findings.errors).toEqual([
    { path: "contractId", message: "needs the approval of Ada, then of Adam Admin and Grace first" },
  ]);
  expect(await ada.refused("signatures.send", { envelopeId })).toEqual({
    code: "approval_needed",
    message: missing,
  });
  await setStatus(ada, id, "IN_REVIEW");
  const answer = { id: approval.id, step: 0 };
  expect((await grace.refused("approvals.approve", answer)).code).toBe("forbidden");
  await ada.does("approvals.approve", answer);
  expect((await ada.refused("approvals.approve", answer)).code).toBe("forbidden");
  expect((await grace.refused("approvals.approve", answer)).code).toBe("conflict");
  await grace.does("approvals.approve", { id: approval.id, step: 1 });
  expect(await found(ada, id)).toMatchObject({
    isNeeded: true,
    missing: "The approval of Adam Admin is missing.",
    approval: { step: 1, outcome: null, currentApprovers: [{ id: admin.id }], version: { id: versionId } },
  });
  expect(await statusOf(workspace, id)).toBe("IN_REVIEW");
  await admin.does("approvals.approve", { id: approval.id, step: 1 });
  expect(await found(ada, id)).toMatchObject({ isNeeded: false, approval: { outcome: "APPROVED" } });
  expect(await statusOf(workspace, id)).toBe("APPROVED");
  expect((await told(workspace, id)).slice(2)).toEqual([
    "APPROVAL_REQUESTED Grace",
    "CONTRACT_STATUS_CHANGED APPROVED key",
    "CONTRACT_STATUS_CHANGED IN_REVIEW Ada",
    "APPROVAL_GIVEN Ada",
    "APPROVAL_GIVEN Grace",
    "APPROVAL_GIVEN Adam Admin",
    "CONTRACT_STATUS_CHANGED APPROVED Adam Admin",
  ]);
  await ada.does("signatures.send", { envelopeId });
  expect(await statusOf(workspace, id)).toBe("OUT_FOR_SIGNATURE");
  // A request that is out for signature is unaffected, and no new approval is requested.
  await addDocument(workspace, id);
  expect(await statusOf(workspace, id)).toBe("OUT_FOR_SIGNATURE");
  expect((await found(ada, id)).approval).toMatchObject({ id: approval.id, outcome: "APPROVED" });
});

test("a new version moves an approved contract back to review, as a system event, and requests approval again", async ({
  workspace,
}) => {
  const { admin, ada, grace } = await people(workspace);
  await rule(admin, [{ role: "member" }]);
  const { id } = await workspace.contract();
  const first = await addDocument(workspace, id);
  const { approval } = await ada.does("approvals.request", { id });
  expect(await statusOf(workspace, id)).toBe("IN_REVIEW");
  expect((await ada.refused("approvals.request", { id })).code).toBe("conflict");
  await grace.does("approvals.approve", { id: approval.id, step: 0 });
  const draft = await requestFor(ada, id, first);
  const second = await addDocument(workspace, id);
  expect((await told(workspace, id)).slice(-2)).toEqual([
    "CONTRACT_STATUS_CHANGED IN_REVIEW system",
    "APPROVAL_REQUESTED system",
  ]);
  const again = (await found(ada, id)).approval;
  expect(again).toMatchObject({ version: { id: second }, requestedBy: { id: ada.id }, outcome: null });
  expect(again.id).not.toBe(approval.id);
  expect((await grace.refused("approvals.approve", { id: approval.id, step: 0 })).code).toBe("conflict");
  expect((await ada.refused("signatures.send", { envelopeId: draft })).code).toBe("approval_needed");
  // A new version also restarts an open approval, and one that was sent back.
  const third = await addDocument(workspace, id);
  const { approval: open, earlier } = await found(ada, id);
  expect(open).toMatchObject({ version: { id: third }, outcome: null });
  expect(earlier.map((past: Json) => past.outcome)).toEqual(["REPLACED", "APPROVED"]);
  await grace.does("approvals.sendBack", { id: open.id, step: 0, reason: "  The cap is missing.\n" });
  expect(await statusOf(workspace, id)).toBe("IN_REVIEW");
  const back = { outcome: "SENT_BACK", reason: "The cap is missing.", endedBy: { id: grace.id } };
  expect((await found(ada, id)).approval).toMatchObject(back);
  expect((await told(workspace, id)).at(-1)).toBe("APPROVAL_REFUSED Grace");
  // The same holds while the contract is a draft again, when no one can respond.
  await setStatus(ada, id, "DRAFT");
  const latest = await addDocument(workspace, id);
  await setStatus(ada, id, "IN_REVIEW");
  const { approval: last } = await found(ada, id);
  expect(last).toMatchObject({ version: { id: latest }, outcome: null });
  // Nor does the approval of one version approve a contract that got a newer one while no approval was requested.
  await setStatus(ada, id, "CANCELLED");
  await addDocument(workspace, id);
  await setStatus(ada, id, "DRAFT");
  await setStatus(ada, id, "IN_REVIEW");
  await grace.does("approvals.approve", { id: last.id, step: 0 });
  expect(await statusOf(workspace, id)).toBe("IN_REVIEW");
  await workspace.api(`PATCH /contracts/${id}`, { body: { archived: true } });
  expect((await ada.refused("approvals.request", { id })).message).toContain("archived");
  await workspace.api(`PATCH /contracts/${id}`, { body: { archived: false } });
  const { approval: whole } = await ada.does("approvals.request", { id });
  await grace.does("approvals.approve", { id: whole.id, step: 0 });
  expect(await statusOf(workspace, id)).toBe("APPROVED");
  // Only the approved version can be sent.
  expect((await ada.refused("signatures.send", { envelopeId: draft })).code).toBe("approval_needed");
});

test("without a rule, a new version returns an approved contract to review and requests no approval", async ({
  workspace,
}) => {
  const { id } = await workspace.contract();
  await workspace.api(`POST /contracts/${id}/status`, { body: { next: "APPROVED" } });
  await addDocument(workspace, id);
  expect(await told(workspace, id)).toEqual([
    "CONTRACT_STATUS_CHANGED APPROVED key",
    "CONTRACT_STATUS_CHANGED IN_REVIEW system",
  ]);
});

test("approval rules match the current type, our role, value, relationship and deviation from the template", async ({
  workspace,
}) => {
  const { admin, ada, grace } = await people(workspace);
  const step = [{ userIds: [grace.id] }];
  await rule(admin, step, { types: ["LEASE"] }, "Leases");
  await rule(admin, step, { ourRoles: ["VENDOR"] }, "Sales");
  await rule(admin, [{ role: "owner" }], { value: { atLeastCents: "10000000", currency: "USD" } }, "Large");
  await rule(admin, step, { relationshipTypes: ["RESELLER"] }, "Resellers");
  await rule(admin, step, { deviation: "CHANGED" }, "Changed");
  const rulesOf = async (id: string) => (await found(ada, id)).rules;
  const value = { valueCents: "9999999", valueCurrency: "USD" };
  const plain = { type: "MSA", ourRole: "CUSTOMER", ...value };
  const { counterparty } = (
    await workspace.api("POST /counterparties", {
      body: { name: "Acme", relationshipTypes: ["RESELLER"] },
    })
  ).body;
  const { id } = await workspace.contract(plain);
  expect(await rulesOf(id)).toEqual([]);
  const patched = async (fields: object) => {
    await workspace.api(`PATCH /contracts/${id}`, { body: fields });
    return rulesOf(id);
  };
  expect(await patched({ type: "LEASE" })).toEqual(["Leases"]);
  expect(await patched({ type: "MSA", ourRole: "VENDOR" })).toEqual(["Sales"]);
  expect(await patched({ ourRole: "CUSTOMER", valueCents: "10000000" })).toEqual(["Large"]);
  expect(await patched({ valueCents: "1", valueCurrency: "EUR" })).toEqual(["Large"]);
  expect(await patched({ valueCents: null })).toEqual(["Large"]);
  expect(await patched({ ...value, counterpartyId: counterparty.id })).toEqual(["Resellers"]);
  await patched({ counterpartyId: null });
  await setStatus(ada, id, "APPROVED");
  // An approval from before any rule applied is not enough once one does, nor is the approval of another rule.
  await patched({ type: "LEASE" });
  const envelopeId = await requestFor(ada, id, await addDocument(workspace, id));
  expect((await ada.refused("signatures.send", { envelopeId })).code).toBe("approval_needed");
  const { approval } = await ada.does("approvals.request", { id });
  await patched({ valueCents: "10000000" });
  await grace.does("approvals.approve", { id: approval.id, step: 0 });
  expect((await found(ada, id)).approval).toMatchObject({
    outcome: null,
    step: 1,
    steps: [{ role: null }, { role: "owner" }],
  });
  // A document from a template counts as unchanged until another one is uploaded.
  const template = await templateIn(workspace.ctx, ["Services"], { name: "Services" });
  const { counterparty: known } = (await workspace.api("POST /counterparties", { body: { name: "New" } }))
    .body;
  const made = await ada.does("templates.makeContract", {
    ...{ templateId: template.id, ownerId: ada.id, counterpartyId: known.id },
    ...value,
  } as Json);
  expect(await rulesOf(made.contractId)).toEqual([]);
  await addDocument(workspace, made.contractId);
  expect(await rulesOf(made.contractId)).toEqual(["Changed"]);
});

test("only an asked member or their logged delegate can approve, never a viewer, an API key or an assistant", async ({
  workspace,
}) => {
  const { admin, ada, grace } = await people(workspace);
  const viewer = await colleague(workspace, "viewer", "Vic");
  await rule(admin, [{ userIds: [ada.id] }]);
  const { id } = await workspace.contract();
  const { approval } = await grace.does("approvals.request", { id });
  const answer = { id: approval.id, step: 0 };
  expect((await viewer.refused("approvals.approve", answer)).code).toBe("forbidden");
  for (const actor of [
    { ...ada.ctx, assistant: { id: "agr_x", name: "Claude" } },
    { ...ada.ctx, actor: { kind: "api_key" as const, id: "key_x", name: "K" } },
  ]) {
    const inputs = {
      request: { id },
      approve: answer,
      sendBack: { ...answer, reason: "No" },
      delegate: { ...answer, userId: grace.id },
      withdraw: { id: approval.id },
    };
    for (const [name, input] of Object.entries(inputs)) {
      const asked = execute(approvals[name as keyof typeof inputs], actor, input);
      await expect(asked, name).rejects.toMatchObject({ code: "forbidden" });
    }
  }
  for (const userId of [ada.id, viewer.id, "usr_unknown"]) {
    const refused = await ada.refused("approvals.delegate", { ...answer, userId });
    expect(refused.code).toBe("validation_error");
  }
  expect((await grace.refused("approvals.delegate", { ...answer, userId: grace.id })).code).toBe("forbidden");
  await ada.does("approvals.delegate", { ...answer, userId: grace.id });
  expect((await ada.refused("approvals.approve", answer)).code).toBe("forbidden");
  expect((await found(ada, id)).approval.steps[0].answers).toMatchObject([
    { answer: "DELEGATED", by: { id: ada.id }, to: { id: grace.id } },
  ]);
  expect((await grace.does("approvals.mine", {})).data).toMatchObject([{ contract: { id } }]);
  expect((await ada.does("approvals.mine", {})).total).toBe(0);
  await grace.does("approvals.approve", answer);
  expect(await statusOf(workspace, id)).toBe("APPROVED");
  expect((await told(workspace, id)).slice(1, 3)).toEqual([
    "APPROVAL_REQUESTED Grace",
    "APPROVAL_DELEGATED Ada",
  ]);
});

test("an approval request can be withdrawn by its requester, an owner or an admin, and a new version then requests none", async ({
  workspace,
}) => {
  const { admin, ada, grace } = await people(workspace);
  const [linus, owner] = await Promise.all([
    colleague(workspace, "member", "Linus"),
    colleague(workspace, "owner", "Olga Owner"),
  ]);
  await rule(admin, [{ userIds: [ada.id] }]);
  const { id } = await workspace.contract();
  for (const who of [grace, owner]) {
    const { approval: first } = await grace.does("approvals.request", { id });
    await who.does("approvals.withdraw", { id: first.id });
    expect((await found(ada, id)).approval).toMatchObject({ id: first.id, outcome: "WITHDRAWN" });
  }
  const { approval } = await grace.does("approvals.request", { id });
  for (const who of [ada, linus]) {
    expect((await who.refused("approvals.withdraw", { id: approval.id })).code).toBe("forbidden");
  }
  await admin.does("approvals.withdraw", { id: approval.id });
  for (const act of ["approve", "sendBack"] as const) {
    const input = { id: approval.id, step: 0, ...(act === "sendBack" ? { reason: "x" } : {}) } as Json;
    expect((await ada.refused(`approvals.${act}`, input)).code).toBe("conflict");
  }
  expect((await ada.refused("approvals.withdraw", { id: approval.id })).code).toBe("conflict");
  await addDocument(workspace, id);
  expect((await found(ada, id)).approval).toMatchObject({ id: approval.id, outcome: "WITHDRAWN" });
  expect((await told(workspace, id)).at(-1)).toBe("APPROVAL_WITHDRAWN Adam Admin");
  await grace.does("approvals.request", { id });
  // No one is asked while the contract is being negotiated.
  await setStatus(grace, id, "NEGOTIATING");
  expect((await found(ada, id)).approval.currentApprovers).toEqual([]);
  const open = (await found(ada, id)).approval.id;
  expect((await ada.refused("approvals.approve", { id: open, step: 0 })).code).toBe("conflict");
  await setStatus(grace, id, "IN_REVIEW");
  await ada.does("approvals.approve", { id: open, step: 0 });
  expect(await statusOf(workspace, id)).toBe("APPROVED");
});

test("approvals pass to a leaving member's successor, and owners stand in for leavers without one and viewers", async ({
  workspace,
}) => {
  const { admin, ada, grace } = await people(workspace);
  const [linus, owner] = await Promise.all([
    colleague(workspace, "member", "Linus"),
    colleague(workspace, "owner", "Olga Owner"),
  ]);
  await rule(admin, [{ needs: "ALL", userIds: [ada.id, grace.id] }]);
  const [one, two] = [await workspace.contract(), await workspace.contract()];
  const { approval: first } = await ada.does("approvals.request", { id: one.id });
  await owner.does("approvals.request", { id: two.id });
  expect(await owner.does("members.holdings", { memberId: ada.memberId })).toMatchObject({ approvals: 3 });
  await owner.does("members.remove", { memberId: ada.memberId, successorId: linus.id });
  expect((await found(grace, one.id)).approval).toMatchObject({
    requestedBy: { id: linus.id },
    currentApprovers: [{ id: grace.id }, { id: linus.id }],
  });
  const { data } = await grace.does("approvalRules.list", {});
  expect(data[0].steps[0].people).toMatchObject([{ id: linus.id }, { id: grace.id }]);
  expect((await linus.does("approvals.mine", {})).total).toBe(2);
  // A viewer cannot approve, and a member who leaves without a successor is not replaced.
  await owner.does("members.setRole", { memberId: linus.memberId, role: "viewer" });
  await owner.does("members.remove", { memberId: grace.memberId, successorId: null });
  const asked = (await found(owner, one.id)).approval.currentApprovers.map(({ id }: Json) => id);
  expect(asked).toContain(owner.id);
  expect(asked).not.toContain(grace.id);
  expect(asked).not.toContain(linus.id);
  expect((await admin.refused("approvals.approve", { id: first.id, step: 0 })).code).toBe("forbidden");
  await owner.does("approvals.approve", { id: first.id, step: 0 });
  expect(await statusOf(workspace, one.id)).toBe("APPROVED");
  expect((await found(owner, two.id)).steps[0].people).toMatchObject([
    { id: linus.id, canApprove: false },
    { id: grace.id, canApprove: false },
  ]);
});

test("rules accept only eligible approvers, changed steps require a new approval, and rule changes are logged", async ({
  workspace,
}) => {
  const { admin, ada, grace } = await people(workspace);
  const viewer = await colleague(workspace, "viewer", "Vic");
  const input = { name: "Large", steps: [{ userIds: [ada.id, viewer.id] }] };
  const wrong = [
    { ...input },
    { ...input, steps: [] },
    { ...input, steps: [{}] },
    { ...input, steps: [{ role: "viewer" }] },
    { ...input, steps: [{ role: "owner", userIds: [ada.id] }] },
    { ...input, steps: [{ role: "owner" }], conditions: { value: { atLeastCents: "-1", currency: "USD" } } },
    { ...input, steps: Array.from({ length: 11 }, () => ({ role: "owner" })) },
  ];
  for (const each of wrong) {
    const refused = await admin.refused("approvalRules.create", each as Json);
    expect(refused.code, JSON.stringify(each)).toBe("validation_error");
  }
  const made = await rule(admin, [{ userIds: [ada.id, ada.id] }], {}, "Large");
  expect(made.steps).toMatchObject([{ needs: "ANY", role: null, people: [{ id: ada.id, name: "Ada" }] }]);
  const { id } = await workspace.contract();
  const { approval } = await grace.does("approvals.request", { id });
  await ada.does("approvals.approve", { id: approval.id, step: 0 });
  const { conditions } = made;
  const change = (steps: object[], name = "Large") =>
    admin.does("approvalRules.update", { id: made.id, name, conditions, steps } as Json);
  await change([{ userIds: [ada.id] }], "Very large");
  expect((await found(ada, id)).isNeeded).toBe(false);
  await change([{ userIds: [ada.id] }, { role: "admin" }], "Very large");
  expect((await found(ada, id)).isNeeded).toBe(true);
  const { approval: again } = await grace.does("approvals.request", { id });
  expect(await statusOf(workspace, id)).toBe("IN_REVIEW");
  await admin.does("approvalRules.remove", { id: made.id });
  expect(await found(ada, id)).toMatchObject({ isNeeded: false, approval: { id: again.id, outcome: null } });
  await setStatus(ada, id, "APPROVED");
  const { body } = await workspace.api("GET /audit-events?action=APPROVAL_RULES_CHANGED");
  expect(body.data.map(({ payload }: Json) => payload.changes.rule)).toEqual([
    { from: "Very large", to: null },
    { from: "Very large", to: "Very large" },
    { from: "Large", to: "Very large" },
    { from: null, to: "Large" },
  ]);
});

test("an approval rule that someone else has saved since it was read is not overwritten", async ({
  workspace,
}) => {
  const { admin, ada } = await people(workspace);
  const { id, conditions, updatedAt } = await rule(admin, [{ userIds: [ada.id] }]);
  const rename = (name: string) =>
    admin.refused("approvalRules.update", {
      id,
      name,
      conditions,
      steps: [{ userIds: [ada.id] }],
      updatedAt,
    } as Json);
  expect((await rename("Large")).code).toBe("done");
  expect((await rename("Huge")).code).toBe("conflict");
  const { data } = await admin.does("approvalRules.list", {});
  expect(data).toMatchObject([{ id, name: "Large" }]);
});

test("concurrent approvals count once each, and never approve a newer version or a withdrawn request", async ({
  workspace,
}) => {
  const { admin, ada, grace } = await people(workspace);
  await rule(admin, [{ needs: "ALL", userIds: [ada.id, grace.id] }]);
  const settled = async (...acts: Promise<unknown>[]) =>
    (await Promise.allSettled(acts)).map(({ status }) => status === "fulfilled");
  const begun = async () => {
    const { id } = await workspace.contract();
    await addDocument(workspace, id);
    const asked = await settled(
      ada.does("approvals.request", { id }),
      grace.does("approvals.request", { id }),
    );
    expect(asked.filter(Boolean)).toHaveLength(1);
    return { id, answer: { id: (await found(ada, id)).approval.id as string, step: 0 } };
  };
  const both = await begun();
  expect(
    await settled(ada.does("approvals.approve", both.answer), grace.does("approvals.approve", both.answer)),
  ).toEqual([true, true]);
  expect(await statusOf(workspace, both.id)).toBe("APPROVED");
  expect((await told(workspace, both.id)).filter((line) => line.includes(" APPROVED "))).toHaveLength(1);

  // Whichever commits first, the new version is not approved.
  const newer = await begun();
  await ada.does("approvals.approve", newer.answer);
  await settled(grace.does("approvals.approve", newer.answer), addDocument(workspace, newer.id));
  expect(await statusOf(workspace, newer.id)).toBe("IN_REVIEW");
  expect(await found(ada, newer.id)).toMatchObject({
    isNeeded: true,
    approval: { outcome: null, version: { versionNumber: 2 } },
  });

  const taken = await begun();
  await ada.does("approvals.approve", taken.answer);
  const [approved, withdrawn] = await settled(
    grace.does("approvals.approve", taken.answer),
    admin.does("approvals.withdraw", { id: taken.answer.id }),
  );
  expect(approved).toBe(!withdrawn);
  expect(await statusOf(workspace, taken.id)).toBe(approved ? "APPROVED" : "IN_REVIEW");
});

test("approver and requester are each notified once, and the digest repeats requests that wait three days", async ({
  workspace,
}) => {
  const { admin, ada, grace } = await people(workspace);
  await rule(admin, [{ userIds: [ada.id] }]);
  const { id } = await workspace.contract();
  const { approval } = await grace.does("approvals.request", { id });
  const tell = async () => {
    const due = await approvalsDue(new Date());
    for (const each of due.filter(({ organizationId }) => organizationId === workspace.organizationId)) {
      await sendApprovals(each);
    }
  };
  const inboxOf = async ({ does }: Colleague) => (await does("notifications.list", {})).data;
  await Promise.all([tell(), tell()]);
  await tell();
  const asked = { kind: "APPROVAL_REQUESTED", contract: { id }, approval: { id: approval.id, by: "Grace" } };
  expect(await inboxOf(ada)).toMatchObject([{ ...asked, isOver: false }]);
  expect(await inboxOf(grace)).toEqual([]);
  const waiting = async (days: number) => {
    const now = new Date(Date.now() + days * 86_400_000);
    const reader = { ...workspace.ctx, userId: ada.id, role: "member", today: dayOf(now), now, quietDays: 0 };
    const items = await unsentItems(database().prisma, {
      ...{ ...reader, organizationId: workspace.organizationId },
      ...{ ownerAfterDays: null, adminsAfterDays: null },
    });
    return items.map(({ kind, subjectId, stage }) => `${kind} ${subjectId} ${stage}`);
  };
  expect(await waiting(2)).toEqual([]);
  expect(await waiting(3)).toEqual([`APPROVAL_REQUESTED ${approval.id} ${remindedOfStep}`]);
  await ada.does("approvals.sendBack", { id: approval.id, step: 0, reason: "No" });
  await tell();
  await tell();
  expect(await inboxOf(ada)).toMatchObject([{ ...asked, isOver: true }]);
  expect(await inboxOf(grace)).toMatchObject([
    { kind: "APPROVAL_ANSWERED", approval: { by: "Ada", isApproved: false }, isOver: false },
  ]);
});

test("a request that is delegated back notifies its approver anew, but not one who was asked all along", async ({
  workspace,
}) => {
  const { admin, ada, grace } = await people(workspace);
  await rule(admin, [{ userIds: [ada.id, admin.id] }]);
  const { id: contractId } = await workspace.contract();
  const { approval } = await grace.does("approvals.request", { id: contractId });
  const { id } = approval;
  const tell = async () => {
    const due = await approvalsDue(new Date());
    for (const each of due.filter((one) => one.organizationId === workspace.organizationId)) {
      await sendApprovals(each);
    }
  };
  const inboxOf = async ({ does }: Colleague) => (await does("notifications.list", {})).data;
  const delegate = async (from: Colleague, to: Colleague) => {
    await from.does("approvals.delegate", { id, step: 0, userId: to.id });
    await Promise.all([tell(), tell()]);
  };
  await tell();
  for (const each of [ada, admin]) await each.does("notifications.mark", { as: "done" });
  await delegate(ada, grace);
  expect(await inboxOf(ada)).toEqual([]);
  await delegate(grace, ada);
  const asked = { kind: "APPROVAL_REQUESTED", approval: { id }, isOver: false, readAt: null, doneAt: null };
  const [back, ...more] = await inboxOf(ada);
  expect([back, ...more]).toMatchObject([asked]);
  // Notified once more, not every minute.
  await ada.does("notifications.mark", { as: "read" });
  await tell();
  expect(await inboxOf(ada)).toMatchObject([
    { ...asked, createdAt: back.createdAt, readAt: expect.any(String) },
  ]);
  expect(await inboxOf(admin), "who was asked all the time").toEqual([]);
  await delegate(ada, grace);
  expect(await inboxOf(grace)).toMatchObject([asked]);

  // A member who leaves also hands the approval back.
  await admin.does("members.remove", { memberId: grace.memberId, successorId: ada.id });
  await tell();
  expect(await inboxOf(ada)).toMatchObject([asked]);
});

test.afterEach(() => provideSettings({ SMTP_URL: "" }));

test("approval requests and answers of a quiet weekend are notified on Monday", async ({ workspace }) => {
  const { admin, ada, grace } = await people(workspace);
  await rule(admin, [{ userIds: [ada.id] }]);
  for (const each of [ada, grace]) await each.does("notifications.saveSettings", { quietWeekends: true });
  const open = await workspace.contract();
  const answered = await workspace.contract();
  await grace.does("approvals.request", { id: open.id });
  const { approval } = await grace.does("approvals.request", { id: answered.id });
  await ada.does("approvals.sendBack", { id: approval.id, step: 0, reason: "No" });
  const { organizationId } = workspace;
  const { prisma } = database();
  const tell = async (now: Date) => {
    const due = await approvalsDue(now);
    for (const each of due.filter((one) => one.organizationId === organizationId)) await sendApprovals(each);
  };
  const told = async () => {
    const rows = await prisma.notification.findMany({ where: { organizationId }, orderBy: { kind: "asc" } });
    return rows.map(({ kind, userId }) => `${kind} ${userId}`);
  };
  provideSettings({ SMTP_URL: "smtp://127.0.0.1:9" });
  // 8 March 2031 is a Saturday. The run's server may notify at any moment, by its own date, hence the retries.
  await expect(async () => {
    await prisma.notification.deleteMany({ where: { organizationId } });
    const [first, last] = ["2031-03-08T00:01:00Z", "2031-03-09T23:59:00Z"].map((at) => new Date(at));
    const data = { askedSince: first!, stepSince: first! };
    await prisma.approval.updateMany({ where: { organizationId }, data });
    await prisma.approval.updateMany({
      where: { organizationId, id: approval.id },
      data: { endedAt: first! },
    });
    for (const at of [first!, last!]) await tell(at);
    expect(await told()).toEqual([]);
  }).toPass();
  await tell(new Date("2031-03-10T00:01:00Z"));
  expect(await told()).toEqual([`APPROVAL_ANSWERED ${grace.id}`, `APPROVAL_REQUESTED ${ada.id}`]);
});
