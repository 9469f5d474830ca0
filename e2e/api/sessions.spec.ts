/** Signing in, and what ends it. */
import { database } from "#lib/core/db.ts";
import { removeMember, setRole } from "#lib/people/members/members.ts";
import { addMember } from "#lib/people/members/workspaces.ts";
import { expect, test } from "../fixtures.ts";
import { code, newMember, openBrowser, signedInByPassword } from "../members.ts";
import { startServer } from "../server.ts";

test("a member signs in with their password and sees the workspace's contracts", async ({ workspace }) => {
  const contract = await workspace.contract();
  const member = await newMember(workspace, "member");
  const browser = openBrowser();
  expect(code(await browser.call("contracts.list"))).toBe("401 signed_out");
  const wrong = await browser.signIn(member.email, "not this one");
  expect(wrong).toEqual({ status: 401, error: "CredentialsSignin" });
  expect(code(await browser.call("contracts.list"))).toBe("401 signed_out");
  const right = await browser.signIn(member.email.toUpperCase(), member.password);
  expect(right).toEqual({ status: 200, error: null });
  const list = await browser.call("contracts.list", { status: ["DRAFT"] });
  expect(list.body).toMatchObject({ total: 1, data: [{ id: contract.id }] });
  const read = await browser.call("contracts.read", { id: contract.id });
  expect(read.text).toBe((await workspace.api(`GET /contracts/${contract.id}`)).text);
});

test("ending a session takes effect at once, on every server", async ({ workspace }) => {
  const second = await startServer({ WORKER: "off" });
  const others = { out: "401 signed_out", gone: "403 no_workspace" };
  try {
    const pair = async () => {
      const here = await signedInByPassword(workspace, "member");
      const there = openBrowser(second.url, here.cookies);
      expect((await there.call("contracts.list")).status).toBe(200);
      return { here, there: openBrowser(second.url, new Map(here.cookies)) };
    };
    await test.step("signing out", async () => {
      const { here, there } = await pair();
      await here.signOut();
      expect(here.cookies.has("countersign.session")).toBe(false);
      expect(code(await there.call("contracts.list"))).toBe(others.out);
    });
    await test.step("signing in again in the same browser", async () => {
      const { here, there } = await pair();
      await here.signIn(here.email, here.password);
      expect(code(await there.call("contracts.list"))).toBe(others.out);
      expect((await here.call("sessions.list")).body.data).toHaveLength(1);
    });
    await test.step("signing out everywhere else", async () => {
      const { here, there } = await pair();
      const elsewhere = openBrowser(second.url);
      await elsewhere.signIn(here.email, here.password);
      const sessions = await there.call("sessions.list");
      expect(sessions.body.data.map((one: { isCurrent: boolean }) => one.isCurrent)).toEqual([true, false]);
      expect((await here.call("sessions.endOthers")).body).toEqual({ ended: 1 });
      expect(code(await elsewhere.call("contracts.list"))).toBe(others.out);
      expect((await there.call("contracts.list")).status).toBe(200);
    });
    await test.step("ending one of one's own sessions", async () => {
      const { here, there } = await pair();
      const stranger = await signedInByPassword(workspace, "owner");
      const { id } = (await here.call("sessions.list")).body.data[0];
      expect(code(await stranger.call("sessions.end", { id }))).toBe("404 not_found");
      expect((await here.call("sessions.end", { id })).status).toBe(204);
      expect(code(await there.call("contracts.list"))).toBe(others.out);
    });
    await test.step("changing the password", async () => {
      const { here, there } = await pair();
      const elsewhere = openBrowser(second.url);
      await elsewhere.signIn(here.email, here.password);
      const change = { currentPassword: here.password, newPassword: "another battery" };
      const wrong = await here.call("profile.changePassword", { ...change, currentPassword: "wrong" });
      expect(wrong.body.error.details.issues).toEqual([
        { path: "currentPassword", message: "is not your password" },
      ]);
      expect((await here.call("profile.changePassword", change)).status).toBe(204);
      expect(code(await elsewhere.call("contracts.list"))).toBe(others.out);
      expect((await there.call("contracts.list")).status).toBe(200);
      expect((await elsewhere.signIn(here.email, here.password)).error).toBe("CredentialsSignin");
      expect((await elsewhere.signIn(here.email, change.newPassword)).error).toBeNull();
    });
    await test.step("being removed or getting another role", async () => {
      const { here, there } = await pair();
      await setRole(workspace.ctx, { memberId: here.memberId, role: "viewer" });
      const made = await there.call("counterparties.create", { name: "Too late" });
      expect(code(made)).toBe("403 forbidden");
      await removeMember(workspace.ctx, here.memberId);
      expect(code(await there.call("contracts.list"))).toBe(others.gone);
      expect((await there.call("profile.read")).status).toBe(200);
      expect((await there.call("workspaces.list")).body).toEqual({ data: [] });
    });
  } finally {
    await second.stop();
  }
});

test("a session expires, and an altered cookie is not accepted", async ({ workspace }) => {
  const member = await signedInByPassword(workspace, "member");
  const cookie = member.cookies.get("countersign.session")!;
  member.cookies.set("countersign.session", `${cookie.slice(0, -3)}AAA`);
  expect(code(await member.call("contracts.list"))).toBe("401 signed_out");
  member.cookies.set("countersign.session", cookie);
  expect((await member.call("contracts.list")).status).toBe(200);
  await database().prisma.session.updateMany({
    where: { userId: member.userId },
    data: { expiresAt: new Date() },
  });
  expect(code(await member.call("contracts.list"))).toBe("401 signed_out");
  expect(await (await member.get("/api/auth/session")).json()).toEqual({});
});

test("the session cookie is HttpOnly and SameSite=Lax, and over HTTPS Secure and bound to the host", async ({
  workspace,
}) => {
  const { email, password } = await newMember(workspace, "member");
  const setBy = async (url: string, base: string) => {
    const first = await fetch(`${url}/api/auth/csrf`);
    const { csrfToken } = await first.json();
    const cookie = first.headers.getSetCookie().map((set) => set.split(";", 1)[0]);
    const answer = await fetch(`${url}/api/auth/callback/credentials`, {
      method: "POST",
      headers: { origin: base, cookie: cookie.join("; ") },
      body: new URLSearchParams({ email, password, csrfToken, json: "true" }),
    });
    expect(answer.headers.get("cache-control")).toBe("no-store");
    return answer.headers.getSetCookie().find((set) => set.includes("countersign.session="))!;
  };
  const plain = await setBy(process.env.BASE_URL!, process.env.BASE_URL!);
  expect(plain).toMatch(/^countersign\.session=.*Path=\/;.*HttpOnly; SameSite=Lax$/);
  const base = "https://contracts.example";
  const secured = await startServer({ WORKER: "off", BASE_URL: base });
  try {
    const set = await setBy(secured.url, base);
    expect(set).toMatch(/^__Host-countersign\.session=.*Path=\/;.*HttpOnly; Secure; SameSite=Lax$/);
    expect(set).not.toContain("Domain");
  } finally {
    await secured.stop();
  }
});

test("the audit log records sign-ins and failed attempts, and what members do under their own name", async ({
  workspace,
}) => {
  const member = await signedInByPassword(workspace, "member");
  await openBrowser().signIn(member.email, "not this one");
  await member.call("counterparties.create", { name: "Theirs" });
  const feed = async (query: string) =>
    (await workspace.api(`GET /audit-events?${query}`)).body.data as {
      action: string;
      actor: { id: string } | null;
      payload: { target: { id: string }; ip: string };
    }[];
  await expect.poll(async () => (await feed("action=USER_SIGN_IN_FAILED")).length).toBe(1);
  const [failed] = await feed("action=USER_SIGN_IN_FAILED");
  expect(failed).toMatchObject({ actor: null, payload: { target: { id: member.userId }, ip: "127.0.0.1" } });
  const byUser = await feed("via=user");
  expect(byUser.map(({ action }) => action)).toEqual(["COUNTERPARTY_CREATED", "USER_SIGNED_IN"]);
  for (const { actor } of byUser) expect(actor?.id).toBe(member.userId);
  expect(await feed(`actorId=${member.userId}`)).toHaveLength(2);
});

test("a person in two workspaces sees one at a time and can switch", async ({ workspace, other }) => {
  const member = await signedInByPassword(workspace, "member");
  const contract = await other.contract();
  const choice = { organizationId: other.organizationId };
  expect(code(await member.call("workspaces.switch", choice))).toBe("404 not_found");
  await addMember(other.ctx, { ...member, name: "Mel", role: "viewer" });
  expect((await member.call("contracts.list")).body.total).toBe(0);
  expect(code(await member.call("contracts.read", { id: contract.id }))).toBe("404 not_found");
  expect((await member.call("workspaces.switch", choice)).status).toBe(200);
  expect((await member.call("contracts.read", { id: contract.id })).status).toBe(200);
  const { data } = (await member.call("workspaces.list")).body;
  expect(data).toContainEqual(expect.objectContaining({ ...choice, isCurrent: true, role: "viewer" }));
  const again = openBrowser();
  await again.signIn(member.email, member.password);
  expect((await again.call("contracts.list")).body.total, "the one used last").toBe(1);
  const made = await again.call("workspaces.create", { name: "My own" });
  expect(made.status).toBe(201);
  const mine = (await again.call("workspace.read")).body.workspace;
  expect(mine).toMatchObject({ id: made.body.organizationId, name: "My own", seats: 10, seatsUsed: 1 });
});

test("a new name appears everywhere at once, including cached responses", async ({ workspace }) => {
  const member = await signedInByPassword(workspace, "member");
  await workspace.contract({ ownerId: member.userId });
  await member.call("contracts.list");
  await workspace.api("GET /contracts");
  expect((await member.call("profile.patch", { name: "Mel Renamed" })).body.profile.name).toBe("Mel Renamed");
  const name = (reply: { body: { data: { owner: { name: string } }[] } }) => reply.body.data[0]?.owner.name;
  expect(name(await member.call("contracts.list"))).toBe("Mel Renamed");
  expect(name(await workspace.api("GET /contracts"))).toBe("Mel Renamed");
});

test("a new name also appears on contracts that the person owns in a workspace they have left", async ({
  workspace,
  other,
}) => {
  const member = await signedInByPassword(workspace, "member");
  const { id } = await workspace.contract({ ownerId: member.userId });
  await addMember(other.ctx, { ...member, name: "Mel member", role: "viewer" });
  await removeMember(workspace.ctx, member.memberId);
  const owner = async () => (await workspace.api(`GET /contracts/${id}`)).body.contract.owner.name;
  expect(await owner()).toBe("Mel member");
  await member.call("profile.patch", { name: "Mel Renamed" });
  expect(await owner()).toBe("Mel Renamed");
  // The log names someone who left, but not where they are now, or with which browser.
  const log = (await workspace.api("GET /audit-events?action=MEMBER_UPDATED")).body.data;
  expect(log).toHaveLength(1);
  expect(log[0]).toMatchObject({ actor: null, payload: { ip: null, userAgent: null, requestId: null } });
});
