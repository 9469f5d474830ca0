/** What holds for every operation at the members' door, so that a new one cannot miss it. */

import { database } from "#lib/core/db.ts";
import { hasWriteScope } from "#lib/core/operation.ts";
import { type Role, roles } from "#lib/core/scopes.ts";
import { openapi } from "#lib/openapi/document.ts";
import { namedOperations } from "#lib/operations.ts";
import { setPlan } from "#lib/people/members/workspaces.ts";
import { routes } from "#lib/routes.ts";
import { connect } from "../assistants.ts";
import { expect, type Reply, test, type Workspace } from "../fixtures.ts";
import { type Browser, code, type Member, newMember, openBrowser, signedIn } from "../members.ts";

const all = namedOperations();
const inWorkspace = all.filter(([, { door }]) => door === "member");

/** Expects the one shape that all errors have. */
function expectError(reply: Reply, refusal: string): void {
  expect(code(reply), reply.text).toBe(refusal);
  expect(Object.keys(reply.body.error)).toEqual(["code", "message", "details"]);
  expect(reply.headers.get("x-request-id")).toBeTruthy();
  expect(reply.headers.get("cache-control")).toBe("no-store");
}

test("without a session, every operation is refused except those open to visitors", async () => {
  const stranger = openBrowser();
  for (const [name, { door }] of all) {
    const reply = await stranger.post(name);
    if (door === "visitor") expect(reply.status, name).not.toBe(401);
    else expectError(reply, "401 signed_out");
  }
});

test("cross-site requests are refused, even with a member's cookies", async ({ workspace }) => {
  const member = await signedIn(workspace, "owner");
  const body = JSON.stringify({ name: "Forged" });
  const forged: Record<string, string>[] = [
    { origin: "https://evil.example" },
    { origin: "null" },
    { origin: "" },
    { origin: process.env.BASE_URL!.replace("127.0.0.1", "localhost") },
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site" },
    { "sec-fetch-site": "none" },
  ];
  for (const headers of forged) {
    expectError(await member.post("counterparties.create", { body, headers }), "403 forbidden");
  }
  const types = ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""];
  for (const type of types) {
    const reply = await member.post("counterparties.create", { body, headers: { "content-type": type } });
    expectError(reply, "415 unsupported_media_type");
  }
  const read = await member.get("/api/member/contracts.list");
  expect([read.status, read.headers.get("allow")]).toEqual([405, "POST"]);
  const forgedExport = await member.get("/api/member-files/contracts.csv", {
    "sec-fetch-site": "cross-site",
  });
  expect(forgedExport.status).toBe(403);
  const signIn = await fetch(`${process.env.BASE_URL}/api/auth/callback/credentials`, {
    method: "POST",
    headers: { origin: "https://evil.example" },
    body: new URLSearchParams({ email: member.email, password: member.password }),
  });
  expect([signIn.status, signIn.headers.getSetCookie()]).toEqual([403, []]);
  expect((await workspace.api("GET /counterparties")).body.data).toEqual([]);
});

/** Each role's permissions, written out by hand: what the table of scopes must amount to. */
const mayDo: Record<Role, (name: string, scopes: readonly string[]) => boolean> = {
  owner: () => true,
  admin: () => true,
  member: (_, scopes) => scopes.every((scope) => !forAdmins.test(scope)),
  viewer: (_, scopes) => scopes.every((scope) => !forAdmins.test(scope) && !scope.endsWith(":write")),
};
const forAdmins = /^(webhooks|audit|keys|workspace|data):|^(templates|members):write$/;

for (const role of roles) {
  test(`${role}: each operation is allowed or refused as the role's permissions say`, async ({
    workspace,
  }) => {
    const member = await signedIn(workspace, role);
    for (const [name, { operation }] of inWorkspace) {
      const reply = await member.post(name);
      expect(reply.status, name).toBeLessThan(500);
      if (mayDo[role](name, operation.scopes)) {
        expect(reply.body?.error?.message ?? "", name).not.toContain(`Yours is ${role}`);
      } else {
        expectError(reply, "403 forbidden");
        expect(reply.body.error.message, name).toContain(`Yours is ${role}`);
      }
      if (role === "viewer" && hasWriteScope(operation)) expect(reply.status, name).toBe(403);
    }
  });
}

test("no operation accepts an ID from another workspace", async ({ workspace, other }) => {
  const owner = await signedIn(workspace, "owner");
  const theirs = await signedIn(other, "owner");
  const made = await madeIn(other, theirs);
  for (const [name, { operation }] of inWorkspace) {
    const fields = Object.keys(operation.input.shape).filter((field) => field in made.ids(name));
    if (fields.length === 0 || /\.(list|agenda)$/.test(name)) continue;
    const reply = await owner.post(name, {
      body: JSON.stringify({ ...made.inputs[name], ...made.ids(name) }),
    });
    if (name in made.inputs || fields.length === Object.keys(operation.input.shape).length) {
      expectError(reply, "404 not_found");
    } else expect([404, 422], `${name}: ${reply.text}`).toContain(reply.status);
  }
  const many = await owner.call("contracts.setStatusOfMany", { ids: [made.contractId], next: "IN_REVIEW" });
  expect(many.body.results).toMatchObject([{ ok: false, code: "not_found" }]);
  expect((await theirs.call("contracts.read", { id: made.contractId })).body.contract.status).toBe("DRAFT");
  const sessions = (await theirs.call("sessions.list")).body.data;
  expect(code(await owner.call("sessions.end", { id: sessions[0].id }))).toBe("404 not_found");
});

test("text that the database cannot store is refused by every operation, in every field", async ({
  workspace,
}) => {
  const owner = await signedIn(workspace, "owner");
  const made = await madeIn(workspace, owner);
  for (const [name, { operation }] of inWorkspace) {
    for (const field of Object.keys(operation.input.shape)) {
      for (const text of ["ctr_\u0000", "ctr_\ud800"]) {
        const body = { ...made.inputs[name], ...made.ids(name), [field]: text };
        const { status, text: said } = await owner.post(name, { body: JSON.stringify(body) });
        const isRefused = status >= 400 && status < 500;
        expect(isRefused, `${name}, ${field}: ${status} ${said}`).toBe(true);
      }
    }
  }
});

/** Creates one of each thing that an id can name; returns inputs that would be valid there. */
async function madeIn(other: Workspace, theirs: Browser) {
  const contract = await other.contract();
  const { counterparty } = (await theirs.call("counterparties.create", { name: "Theirs" })).body;
  const person = { id: counterparty.id, name: "Ann", email: "ann@theirs.example" };
  const { contact } = (await theirs.call("contacts.create", person)).body;
  const obligation = { contractId: contract.id, kind: "OTHER", title: "T", anchorType: "EVENT" } as const;
  await theirs.call("obligations.create", obligation);
  const { id: obligationId } = (await theirs.call("obligations.list", {})).body.data[0];
  const { invitation } = (await theirs.call("invitations.create", { email: "new@theirs.example" })).body;
  const { data: members } = (await theirs.call("members.list")).body;
  const endpoint = { url: "http://127.0.0.1:9/", events: ["webhook.test" as const] };
  const { id: endpointId } = (await theirs.call("webhookEndpoints.create", endpoint)).body.endpoint;
  const { delivery } = (await theirs.call("webhookEndpoints.test", { id: endpointId })).body;
  const { apiKey } = (await theirs.call("apiKeys.create", { name: "K", preset: "read_only" })).body;
  const filter = { list: "contracts" as const, name: "Mine", query: "status=DRAFT" };
  const { savedFilter } = (await theirs.call("savedFilters.save", filter)).body;
  const { comment } = (await theirs.call("comments.add", { id: contract.id, text: "Theirs" })).body;
  const steps = [{ role: "owner" as const }];
  const { rule } = (await theirs.call("approvalRules.create", { name: "Theirs", steps })).body;
  const field = { key: "theirs", name: "Theirs", type: "text" as const };
  const { customField } = (await theirs.call("customFields.create", field)).body;
  const { approval } = (await theirs.call("approvals.request", { id: (await other.contract()).id })).body;
  const files = [{ path: "theirs.pdf", sizeBytes: 1 }];
  const { data: uploads } = (await theirs.call("uploads.add", { files })).body;
  await connect(theirs, other);
  const { data: assistants } = (await theirs.call("assistants.list")).body;
  const byNamespace: Record<string, string> = {
    assistants: assistants[0].id,
    counterparties: counterparty.id,
    contacts: counterparty.id,
    obligations: obligationId,
    invitations: invitation.id,
    webhookEndpoints: endpointId,
    apiKeys: apiKey.id,
    savedFilters: savedFilter.id,
    comments: comment.id,
    approvals: approval.id,
    approvalRules: rule.id,
    customFields: customField.id,
    uploads: uploads[0].id,
  };
  const ids = (name: string) => {
    const [namespace = ""] = name.split(".");
    const isOfContract =
      name.endsWith("OfContract") || /^(comments.add|approvals.request|approvals.ofContract)$/.test(name);
    const ids: Record<string, string> = {
      id: isOfContract ? contract.id : (byNamespace[namespace] ?? contract.id),
      ...(namespace === "members" ? { memberId: members[0].memberId } : {}),
      ...(namespace === "contacts" && !/list|create/.test(name) ? { contactId: contact.id } : {}),
      ...(name.endsWith("redeliver") ? { deliveryId: delivery.id } : {}),
    };
    if (namespace === "members") delete ids.id;
    return ids;
  };
  const inputs: Record<string, object> = {
    "contracts.patch": { title: "Ours now" },
    "contracts.setStatus": { next: "IN_REVIEW" },
    "contracts.setCounterparty": { counterpartyId: counterparty.id },
    "contracts.setAnchors": { termMonths: 1 },
    "contracts.previewAnchors": { termMonths: 1 },
    "counterparties.patch": { name: "Ours now" },
    "counterparties.setNotes": { notes: "Ours now" },
    "contacts.create": { name: "B", email: "b@x.example" },
    "contacts.patch": { name: "Ours now" },
    "obligations.patch": { title: "Ours now" },
    "comments.add": { text: "Ours now" },
    "comments.reply": { text: "Ours now" },
    "comments.edit": { text: "Ours now" },
    "approvals.approve": { step: 0 },
    "approvals.sendBack": { step: 0, reason: "Ours now" },
    "approvals.delegate": { step: 0, userId: members[0].userId },
    "approvalRules.update": { name: "Ours now", steps },
    "customFields.patch": { name: "Ours now" },
    "uploads.createDuplicate": { title: "Ours now" },
    "proposals.acceptDate": { anchor: "TERM", value: "12" },
    "proposals.rejectDate": { anchor: "TERM", value: "12" },
    "members.setRole": { role: "viewer" },
    "webhookEndpoints.patch": { description: "Ours now" },
    "webhookEndpoints.recover": { since: "2026-01-01" },
  };
  return { contractId: contract.id as string, ids, inputs };
}

test("a member's saved filters can be seen and removed by no other member", async ({ workspace }) => {
  const one = await signedIn(workspace, "member");
  const two = await signedIn(workspace, "owner");
  const filter = { list: "contracts" as const, name: "Mine", query: "status=DRAFT" };
  const { savedFilter } = (await one.call("savedFilters.save", filter)).body;
  const replaced = await one.call("savedFilters.save", { ...filter, query: "status=ACTIVE" });
  expect(replaced.body.savedFilter).toMatchObject({ id: savedFilter.id, query: "status=ACTIVE" });
  expect((await two.call("savedFilters.list")).body).toEqual({ data: [] });
  expect(code(await two.call("savedFilters.remove", { id: savedFilter.id }))).toBe("404 not_found");
  expect((await one.call("savedFilters.list", { list: "contracts" })).body.data).toHaveLength(1);
  expect((await one.call("savedFilters.remove", { id: savedFilter.id })).status).toBe(204);
});

test("a workspace with an inactive subscription is read-only, and every write responds 402", async ({
  workspace,
}) => {
  const owner = await signedIn(workspace, "owner");
  await setPlan(workspace.ctx, { status: "inactive" });
  for (const [name, { operation }] of inWorkspace) {
    const reply = await owner.post(name);
    if (hasWriteScope(operation)) expectError(reply, "402 subscription_inactive");
    else expect(reply.status, name).not.toBe(402);
  }
  expect((await owner.call("contracts.list")).status).toBe(200);
  expect((await owner.get("/api/member-files/contracts.csv")).status).toBe(200);
});

/**
 * The operations that need confirmation because of their effect: who owns or administers the workspace, secrets that
 * give access, where events are sent, who can sign. Each with inputs that have this effect.
 */
const confirmed: Record<string, object[]> = {
  "members.setRole": [
    { memberId: "mem_x", role: "owner" },
    { memberId: "mem_x", role: "admin" },
  ],
  "invitations.create": [
    { email: "a@test.example", role: "owner" },
    { email: "a@test.example", role: "admin" },
  ],
  "invitations.resend": [{ id: "inv_x" }],
  "apiKeys.create": [{ name: "CI", preset: "read_only" }],
  "calendarFeed.create": [{}],
  "assistantRequests.approve": [{ request: "x", organizationId: "org_x", scopes: ["contracts:read"] }],
  "webhookEndpoints.create": [{ url: "https://hooks.example.com/" }],
  "webhookEndpoints.patch": [{ id: "whe_x", url: "https://hooks.example.com/" }],
  "webhookEndpoints.rotateSecret": [{ id: "whe_x" }],
  "signatures.copyLink": [{ envelopeId: "env_x", signerId: "sgn_x" }],
  "signatures.openOwnLink": [{ envelopeId: "env_x", signerId: "sgn_x" }],
  "signatures.correctSigner": [{ envelopeId: "env_x", signerId: "sgn_x", email: "a@test.example" }],
};

/** All other operations that change something: for each it was decided that it has none of these effects. */
const unconfirmed = `
  contracts.create contracts.patch contracts.setStatus contracts.setStatusOfMany contracts.setCounterparty
  contracts.setArchivedOfMany contracts.tagMany contracts.remove
  contracts.setAnchors versions.create versions.retry
  counterparties.create counterparties.patch counterparties.setNotes contacts.create contacts.patch contacts.remove
  obligations.create obligations.patch obligations.patchMany
  proposals.acceptDate proposals.rejectDate proposals.ofDocument
  templates.makeContract templates.upload templates.replaceDocument templates.saveSettings templates.archive
  templates.restore
  signatures.createDraft signatures.updateDraft signatures.placeAnchors signatures.send signatures.discardDraft
  signatures.duplicateAsDraft signatures.remind signatures.extend signatures.void signatures.end
  signatures.retrySealing
  members.remove members.holdings invitations.revoke workspace.patch apiKeys.revoke
  webhookEndpoints.remove webhookEndpoints.test webhookEndpoints.redeliver webhookEndpoints.recover
  savedFilters.save savedFilters.remove
  comments.add comments.reply comments.edit comments.resolve comments.reopen comments.remove
  approvals.request approvals.approve approvals.sendBack approvals.delegate approvals.withdraw
  approvalRules.create approvalRules.update approvalRules.remove
  customFields.create customFields.patch customFields.remove
  uploads.add uploads.send uploads.createDuplicate uploads.skip uploads.clear
  imports.create imports.check imports.start imports.discard
  notifications.unread notifications.mark notifications.settings notifications.saveSettings notifications.saveDefaults
  assistants.revoke assistants.setPolicy assistantRequests.open assistantRequests.refuse
  profile.patch profile.changePassword sessions.end sessions.endOthers sessions.confirmPassword
  workspaces.switch workspaces.join workspaces.create calendarFeed.revoke calendarFeed.choose
`;

/** Whether an operation only reads. */
const isReading = (name: string, scopes: readonly string[]) =>
  scopes.length > 0
    ? scopes.every((scope) => scope.endsWith(":read"))
    : /\.(read|list|invitations)$/.test(name);

test("only operations on roles, access, destinations or signers require a recent password confirmation", async ({
  workspace,
}) => {
  const owner = await signedIn(workspace, "owner");
  await database().prisma.session.updateMany({
    where: { userId: owner.userId },
    data: { passwordConfirmedAt: new Date(Date.now() - 11 * 60 * 1000) },
  });
  const decided = new Set([...Object.keys(confirmed), ...unconfirmed.trim().split(/\s+/)]);
  const operations = all.filter(([, { door }]) => door !== "visitor");
  const undecided = operations
    .filter(([name, { operation }]) => !decided.has(name) && !isReading(name, operation.scopes))
    .map(([name]) => name);
  expect(undecided, "a new operation is put into one of the two lists").toEqual([]);
  for (const [name] of operations) {
    for (const input of confirmed[name] ?? []) {
      const reply = await owner.post(name, { body: JSON.stringify(input) });
      expect(code(reply), `${name} ${JSON.stringify(input)}`).toBe("403 password_needed");
    }
    if (name in confirmed || name.startsWith("sessions.end")) continue;
    expect(code(await owner.post(name)), name).not.toBe("403 password_needed");
  }
  const small = [
    ["members.setRole", { memberId: "mem_x", role: "viewer" }],
    ["invitations.create", { email: "b@test.example", role: "member" }],
    ["webhookEndpoints.patch", { id: "whe_x", description: "Renamed" }],
    ["signatures.correctSigner", { envelopeId: "env_x", signerId: "sgn_x", name: "Renamed" }],
    ["members.remove", { memberId: "mem_x" }],
  ] as const;
  for (const [name, input] of small) {
    const reply = await owner.post(name, { body: JSON.stringify(input) });
    expect(code(reply), name).not.toBe("403 password_needed");
  }
});

test("demoting or removing a member requires a password confirmation only if they are an owner", async ({
  workspace,
}) => {
  const owner = await signedIn(workspace, "owner");
  const [second, admin] = [await newMember(workspace, "owner"), await newMember(workspace, "admin")];
  await database().prisma.session.updateMany({
    where: { userId: owner.userId },
    data: { passwordConfirmedAt: new Date(Date.now() - 11 * 60 * 1000) },
  });
  const roleOf = async (member: Member): Promise<string | undefined> => {
    const { data } = (await owner.call("members.list")).body;
    return data.find(({ memberId }: Member) => memberId === member.memberId)?.role;
  };
  for (const role of ["member", "viewer"] as const) {
    expectError(
      await owner.call("members.setRole", { memberId: second.memberId, role }),
      "403 password_needed",
    );
  }
  expectError(await owner.call("members.remove", { memberId: second.memberId }), "403 password_needed");
  // Removing oneself, too: someone who finds an open session cannot give the workspace away.
  expectError(await owner.call("members.remove", { memberId: owner.memberId }), "403 password_needed");
  expect(await roleOf(second)).toBe("owner");
  const demoted = await owner.call("members.setRole", { memberId: admin.memberId, role: "member" });
  expect(demoted.body.member.role).toBe("member");
  expect((await owner.call("members.remove", { memberId: admin.memberId })).status).toBe(204);
  expect((await owner.call("sessions.confirmPassword", { password: owner.password })).status).toBe(204);
  expect((await owner.call("members.remove", { memberId: second.memberId })).status).toBe(204);
  expect(await roleOf(second)).toBeUndefined();
});

test("sensitive operations need a correct password within the last ten minutes, and API keys need none", async ({
  workspace,
}) => {
  const owner = await signedIn(workspace, "owner");
  const mint = () => owner.call("apiKeys.create", { name: "CI", preset: "read_only" });
  await database().prisma.session.updateMany({
    where: { userId: owner.userId },
    data: { passwordConfirmedAt: new Date(Date.now() - 11 * 60 * 1000) },
  });
  expectError(await mint(), "403 password_needed");
  const wrong = await owner.call("sessions.confirmPassword", { password: "wrong" });
  expect(wrong.body.error.details.issues).toEqual([{ path: "password", message: "is not your password" }]);
  expectError(await mint(), "403 password_needed");
  expect((await owner.call("sessions.confirmPassword", { password: owner.password })).status).toBe(204);
  expect((await mint()).status).toBe(201);
  const endpoint = { url: "https://hooks.example.com/" };
  expect((await workspace.api("POST /webhook-endpoints", { body: endpoint })).status).toBe(201);
});

test("an API key created in the web app works until it is revoked, and its secret is shown only once", async ({
  workspace,
}) => {
  const admin = await signedIn(workspace, "admin");
  const past = { name: "Old", preset: "read_only" as const, expiresAt: "2020-01-01" };
  expect(code(await admin.call("apiKeys.create", past))).toBe("422 validation_error");
  const made = await admin.call("apiKeys.create", { name: "CI", preset: "read_only" });
  const { apiKey, secret } = made.body;
  expect(apiKey).toMatchObject({ preset: "read_only", status: "active", createdBy: { id: admin.userId } });
  expect((await workspace.api("GET /contracts", { key: secret })).status).toBe(200);
  const list = await admin.call("apiKeys.list");
  expect(list.text).not.toContain(secret.slice(-20));
  expect(list.body.data.map((key: { id: string }) => key.id)).toEqual([apiKey.id, workspace.keyId]);
  expect((await admin.call("apiKeys.revoke", { id: apiKey.id })).status).toBe(204);
  expect((await workspace.api("GET /contracts", { key: secret })).status).toBe(401);
  const feed = await workspace.api("GET /audit-events?action=API_KEY_CREATED&via=user");
  expect(feed.body.data).toMatchObject([
    { actor: { id: admin.userId }, payload: { target: { id: apiKey.id } } },
  ]);
});

test("the last owner cannot be removed or demoted, admins cannot become owners, and a removal frees a seat", async ({
  workspace,
}) => {
  const owner = await signedIn(workspace, "owner");
  const admin = await signedIn(workspace, "admin");
  const { data } = (await owner.call("members.list")).body;
  const olive = data.find((one: { userId: string }) => one.userId === workspace.ownerId);
  expect((await owner.call("members.remove", { memberId: olive.memberId })).status).toBe(204);
  expect(code(await owner.call("members.remove", { memberId: owner.memberId }))).toBe("409 last_owner");
  const demote = { memberId: owner.memberId, role: "member" as const };
  expect(code(await owner.call("members.setRole", demote))).toBe("409 last_owner");
  expect(code(await admin.call("members.remove", { memberId: owner.memberId }))).toBe("403 forbidden");
  const self = { memberId: admin.memberId, role: "owner" as const };
  expect(code(await admin.call("members.setRole", self))).toBe("403 forbidden");
  expect((await owner.call("workspace.read")).body.workspace.seatsUsed).toBe(2);
  const renamed = await admin.call("workspace.patch", { name: "Renamed", currency: "EUR" });
  expect(renamed.body.workspace).toMatchObject({ name: "Renamed", currency: "EUR" });
});

test("the API description mentions no operation, error or scope that only members have", () => {
  const described = openapi();
  const known = new Set<unknown>(Object.values(routes));
  const unlisted = all.filter(([, { operation }]) => !known.has(operation));
  expect(unlisted.length).toBeGreaterThan(25);
  for (const [name, { operation }] of unlisted) {
    expect(described.includes(`"${name}"`), name).toBe(false);
    expect(described.includes(operation.summary), name).toBe(false);
  }
  for (const code of ["signed_out", "password_needed", "no_workspace", "keys:write"]) {
    expect(described.includes(`"${code}"`), code).toBe(false);
  }
});
