import { randomUUID } from "node:crypto";
import type { Context } from "#lib/core/context.ts";
import type { Role } from "#lib/core/scopes.ts";
import { acceptInvitation, createInvitation, renewInvitation } from "#lib/people/members/invitations.ts";
import { removeMember, setRole } from "#lib/people/members/members.ts";
import { addMember, createWorkspace, setPlan } from "#lib/people/members/workspaces.ts";
import { expect, test, type Workspace } from "../fixtures.ts";

const address = () => `${randomUUID()}@test.example`;
const password = "correct horse battery";

const add = ({ ctx }: Workspace, role: Role, name = "Mel Member") =>
  addMember(ctx, { email: address(), name, password, role });

/** Returns the context of a signed-in member. */
const as = ({ ctx, ownerId }: Workspace, role: Role): Context => ({
  ...ctx,
  actor: { kind: "user", id: ownerId, name: "Olive Owner", email: "olive@test.example", role },
});

async function ownerOf({ api, ownerId }: Workspace): Promise<string> {
  const { body } = await api("GET /members");
  return body.data.find((member: { userId: string }) => member.userId === ownerId).memberId;
}

const invite = ({ api }: Workspace, email = address(), more = {}) =>
  api("POST /members/invitations", { body: { email, ...more } });

const code = (reply: { status: number; body: { error: { code: string } } }) =>
  `${reply.status} ${reply.body.error.code}`;

test("members are listed by name, with their roles", async ({ workspace }) => {
  await add(workspace, "viewer", "zed");
  const { memberId, userId } = await add(workspace, "admin", "Abe");
  const { body } = await workspace.api("GET /members");
  expect(body.data.map((member: { name: string }) => member.name)).toEqual(["Abe", "Olive Owner", "zed"]);
  const email = expect.stringContaining("@test.example");
  expect(body.data[0]).toEqual({ memberId, userId, role: "admin", name: "Abe", email });
});

test("an API key can change a member's role, and the audit log records the change", async ({ workspace }) => {
  const { memberId, userId } = await add(workspace, "member");
  const changed = await workspace.api(`PATCH /members/${memberId}`, { body: { role: "admin" } });
  expect(changed.status).toBe(200);
  expect(changed.body.member).toMatchObject({ memberId, userId, role: "admin" });
  const again = await workspace.api(`PATCH /members/${memberId}`, { body: { role: "admin" } });
  expect(again.text).toBe(changed.text);
  const { body } = await workspace.api("GET /audit-events?action=MEMBER_ROLE_CHANGED");
  expect(body.data).toHaveLength(1);
  expect(body.data[0].payload).toMatchObject({
    target: { type: "member", id: memberId },
    changes: { role: { from: "member", to: "admin" } },
  });
});

test("an API key can neither appoint, demote nor invite an owner", async ({ workspace }) => {
  const { memberId } = await add(workspace, "admin");
  const promoted = await workspace.api(`PATCH /members/${memberId}`, { body: { role: "owner" } });
  expect(code(promoted)).toBe("403 forbidden");
  const owner = await ownerOf(workspace);
  const demoted = await workspace.api(`PATCH /members/${owner}`, { body: { role: "member" } });
  expect(code(demoted)).toBe("403 forbidden");
  expect(code(await invite(workspace, address(), { role: "owner" }))).toBe("403 forbidden");
});

test("an unknown role responds 422, and an unknown member or one of another workspace responds 404", async ({
  workspace,
  other,
}) => {
  const { memberId } = await add(workspace, "member");
  const patch = (id: string, role: string, { api } = workspace) =>
    api(`PATCH /members/${id}`, { body: { role } });
  expect((await patch(memberId, "boss")).body.error.details.issues[0].path).toBe("role");
  expect(code(await patch(memberId, "Admin"))).toBe("422 validation_error");
  expect(code(await patch("mem_missing", "admin"))).toBe("404 not_found");
  expect(code(await patch(memberId, "admin", other))).toBe("404 not_found");
});

test("only owners can change owners, and members and viewers cannot change anyone's role", async ({
  workspace,
}) => {
  const { memberId } = await add(workspace, "member");
  const move = (role: Role, next: Role) => setRole(as(workspace, role), { memberId, role: next });
  await expect(move("admin", "owner")).rejects.toMatchObject({ code: "forbidden" });
  for (const role of ["member", "viewer"] as const) {
    await expect(move(role, "viewer")).rejects.toMatchObject({ code: "forbidden" });
  }
  expect((await move("owner", "owner")).role).toBe("owner");
  await expect(move("admin", "member")).rejects.toMatchObject({ code: "forbidden" });
  await expect(removeMember(as(workspace, "admin"), memberId)).rejects.toMatchObject({ code: "forbidden" });
});

test("the last owner cannot be removed or demoted, even when two owners demote each other at once", async ({
  workspace,
}) => {
  const first = await ownerOf(workspace);
  const owner = as(workspace, "owner");
  await expect(setRole(owner, { memberId: first, role: "admin" })).rejects.toMatchObject({
    code: "last_owner",
  });
  await expect(removeMember(owner, first)).rejects.toMatchObject({ code: "last_owner" });
  const { memberId: second } = await add(workspace, "owner");
  const both = [first, second].map((memberId) => setRole(owner, { memberId, role: "admin" }));
  const refused = (await Promise.allSettled(both)).filter(({ status }) => status === "rejected");
  expect(refused).toEqual([
    expect.objectContaining({ reason: expect.objectContaining({ code: "last_owner" }) }),
  ]);
});

test("an invitation expires after seven days, and its role defaults to member", async ({ workspace }) => {
  const email = address();
  const made = await invite(workspace, email);
  expect(made.status).toBe(201);
  const { invitation } = made.body;
  expect(invitation).toEqual({
    id: expect.stringMatching(/^inv_/),
    email,
    role: "member",
    status: "pending",
    expiresAt: expect.any(String),
    createdAt: expect.any(String),
  });
  const days = (Date.parse(invitation.expiresAt) - Date.parse(invitation.createdAt)) / 86_400_000;
  expect(days).toBe(7);
  expect((await workspace.api("GET /members/invitations")).body).toEqual({ data: [invitation] });
});

test("an address can have only one pending invitation, and a member's address none, regardless of case", async ({
  workspace,
}) => {
  const email = address();
  expect((await invite(workspace, email)).status).toBe(201);
  expect(code(await invite(workspace, email.toUpperCase()))).toBe("409 already_invited");
  const { body } = await workspace.api("GET /members");
  expect(code(await invite(workspace, body.data[0].email.toUpperCase()))).toBe("409 already_member");
});

test("a revoked invitation stays listed, and its address can be invited again", async ({ workspace }) => {
  const email = address();
  const { id } = (await invite(workspace, email)).body.invitation;
  for (const _ of ["revoked", "again"]) {
    const done = await workspace.api(`DELETE /members/invitations/${id}`);
    expect(done).toMatchObject({ status: 204, text: "" });
  }
  expect((await invite(workspace, email)).status).toBe(201);
  const { body } = await workspace.api("GET /members/invitations");
  const statuses = body.data.map((invitation: { status: string }) => invitation.status);
  expect(statuses).toEqual(["pending", "revoked"]);
  expect(code(await workspace.api("DELETE /members/invitations/inv_missing"))).toBe("404 not_found");
});

test("another workspace's invitation cannot be revoked", async ({ workspace, other }) => {
  const { id } = (await invite(workspace)).body.invitation;
  expect(code(await other.api(`DELETE /members/invitations/${id}`))).toBe("404 not_found");
});

test("an expired invitation takes no seat and cannot be accepted", async ({ workspace }) => {
  await setPlan(workspace.ctx, { seats: 2 });
  const past = { ...workspace.ctx, now: new Date(Date.now() - 8 * 86_400_000) };
  const { token } = await createInvitation(past, { email: address(), role: "member" });
  const accepted = acceptInvitation(token, { name: "Late", password });
  await expect(accepted).rejects.toMatchObject({ code: "conflict" });
  expect((await invite(workspace)).status).toBe(201);
  const { body } = await workspace.api("GET /members/invitations");
  expect(body.data.map((one: { status: string }) => one.status)).toEqual(["pending", "expired"]);
});

test("an expired invitation cannot be resent to a member or to someone with another pending invitation", async ({
  workspace: { ctx },
}) => {
  const past = { ...ctx, now: new Date(Date.now() - 8 * 86_400_000) };
  const [email, role] = [address(), "member" as const];
  const { id } = (await createInvitation(past, { email, role })).invitation;
  const { token } = await createInvitation(ctx, { email: email.toUpperCase(), role });
  await expect(renewInvitation(ctx, id)).rejects.toMatchObject({ code: "already_invited" });
  await acceptInvitation(token, { name: "Mel", password });
  await expect(renewInvitation(ctx, id)).rejects.toMatchObject({ code: "already_member" });
});

test("50 concurrent invitations never take more seats than the plan has", async ({ workspace }) => {
  const replies = await Promise.all(Array.from({ length: 50 }, () => invite(workspace)));
  const made = replies.filter(({ status }) => status === 201);
  expect(made).toHaveLength(9);
  const refused = replies.filter(({ status }) => status !== 201);
  expect(new Set(refused.map(code))).toEqual(new Set(["402 seat_limit_reached"]));
  await workspace.api(`DELETE /members/invitations/${made[0]!.body.invitation.id}`);
  expect((await invite(workspace)).status).toBe(201);
});

test("accepting an invitation adds a member with the invited role, and works only once", async ({
  workspace,
}) => {
  const email = address();
  const { invitation, token } = await createInvitation(workspace.ctx, { email, role: "viewer" });
  const person = { name: "New Person", password };
  const both = await Promise.allSettled([1, 2].map(() => acceptInvitation(token, person)));
  expect(both.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  const { body } = await workspace.api("GET /members");
  expect(body.data[0]).toMatchObject({ name: "New Person", email, role: "viewer" });
  const listed = await workspace.api("GET /members/invitations");
  expect(listed.body.data[0]).toMatchObject({ id: invitation.id, status: "accepted" });
  const revoked = await workspace.api(`DELETE /members/invitations/${invitation.id}`);
  expect(code(revoked)).toBe("409 conflict");
  const log = await workspace.api("GET /audit-events?action=INVITATION_ACCEPTED");
  expect(log.body.data[0]).toMatchObject({ actor: { id: body.data[0].userId, email }, apiKey: null });
});

test("an invitation cannot be accepted if the plan no longer has a seat for it", async ({ workspace }) => {
  const { token } = await createInvitation(workspace.ctx, { email: address(), role: "member" });
  await setPlan(workspace.ctx, { seats: 1 });
  const accepted = acceptInvitation(token, { name: "New", password });
  await expect(accepted).rejects.toMatchObject({ code: "seat_limit_reached" });
  expect((await workspace.api("GET /members")).body.data).toHaveLength(1);
});

test("an existing account can join only with its password, and keeps its name and address", async ({
  workspace,
  other,
}) => {
  const email = address();
  const { userId } = await addMember(other.ctx, { email, name: "Known", password, role: "member" });
  const { token } = await createInvitation(workspace.ctx, { email: email.toUpperCase(), role: "member" });
  const stranger = acceptInvitation(token, { name: "Stranger", password: "another password" });
  await expect(stranger).rejects.toMatchObject({ code: "forbidden" });
  const accepted = await acceptInvitation(token, { name: "Ignored", password });
  expect(accepted.userId).toBe(userId);
  const { body } = await workspace.api("GET /members");
  expect(body.data[0]).toMatchObject({ userId, name: "Known", email });
});

test("a workspace cannot be created for someone else's account without its password", async () => {
  const owner = { name: "Mine", ownerEmail: address(), ownerName: "Owner", ownerPassword: password };
  const { userId } = await createWorkspace(owner);
  const other = { ...owner, ownerEmail: owner.ownerEmail.toUpperCase() };
  const taken = createWorkspace({ ...other, ownerPassword: "another password" });
  await expect(taken).rejects.toMatchObject({ code: "forbidden" });
  expect((await createWorkspace(other)).userId).toBe(userId);
});

test("a former member who accepts an invitation gets the same membership back", async ({ workspace }) => {
  const { memberId } = await add(workspace, "member");
  const { body } = await workspace.api("GET /members");
  const { email } = body.data.find((member: { memberId: string }) => member.memberId === memberId);
  await removeMember(as(workspace, "owner"), memberId);
  expect((await workspace.api("GET /members")).body.data).toHaveLength(1);
  const gone = await workspace.api(`PATCH /members/${memberId}`, { body: { role: "viewer" } });
  expect(code(gone)).toBe("404 not_found");
  const { token } = await createInvitation(workspace.ctx, { email, role: "viewer" });
  expect((await acceptInvitation(token, { name: "Back", password })).memberId).toBe(memberId);
});

test("neither the list of invitations nor the audit log contains an invitation's token", async ({
  workspace,
}) => {
  const { token } = await createInvitation(workspace.ctx, { email: address(), role: "member" });
  const list = await workspace.api("GET /members/invitations");
  const log = await workspace.api("GET /audit-events");
  expect(list.text + log.text).not.toContain(token);
  expect(Object.keys(list.body.data[0]).sort()).toEqual([
    "createdAt",
    "email",
    "expiresAt",
    "id",
    "role",
    "status",
  ]);
});
