import { expect, test } from "../fixtures.ts";
import { newMember, openBrowser, signedIn } from "../members.ts";
import { startServer } from "../server.ts";

const code = (reply: { status: number; body: { error: { code: string } } | null }) =>
  `${reply.status} ${reply.body?.error?.code ?? ""}`.trim();

test("a member signs in with the password and sees what the workspace has", async ({ workspace }) => {
  const contract = await workspace.contract();
  const member = await newMember(workspace, "member");
  const browser = openBrowser();
  expect(code(await browser.call("contracts.list"))).toBe("401 signed_out");
  expect(await browser.signIn(member.email, "not this one")).toEqual({
    status: 401,
    error: "CredentialsSignin",
  });
  expect(code(await browser.call("contracts.list"))).toBe("401 signed_out");
  expect(await browser.signIn(member.email.toUpperCase(), member.password)).toEqual({
    status: 200,
    error: null,
  });
  const list = await browser.call("contracts.list", { status: ["DRAFT"] });
  expect(list.status).toBe(200);
  expect(list.body).toMatchObject({ total: 1, data: [{ id: contract.id }] });
  expect((await browser.call("contracts.read", { id: contract.id })).body).toEqual(
    (await workspace.api(`GET /contracts/${contract.id}`)).body,
  );
});

test("what ends a session ends it at once, on every server", async ({ workspace }) => {
  const second = await startServer({ WORKER: "off" });
  try {
    const here = await signedIn(workspace, "member");
    const there = openBrowser(second.url, here.cookies);
    expect((await there.call("contracts.list")).status).toBe(200);
    await here.signOut();
    expect(code(await there.call("contracts.list"))).toBe("401 signed_out");
  } finally {
    await second.stop();
  }
});
