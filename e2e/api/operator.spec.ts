import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { apiWith, expect, test } from "../fixtures.ts";
import { node, root } from "../server.ts";

interface Run {
  code: number;
  out: string;
  err: string;
}

/** `npm run -s admin -- …`, without npm in between. */
function admin(...args: string[]): Promise<Run> {
  return new Promise((resolve) => {
    execFile(node, [join(root, "lib", "run", "admin.ts"), ...args], { cwd: root }, (error, out, err) =>
      resolve({ code: error ? Number(error.code) : 0, out, err }),
    );
  });
}

async function done(...args: string[]) {
  const run = await admin(...args);
  expect(run.code, run.err).toBe(0);
  expect(run.out.trimEnd()).not.toContain("\n");
  return JSON.parse(run.out);
}

const owner = () => [
  ...["--owner-email", `${randomUUID()}@test.example`],
  ...["--owner-name", "Olive", "--owner-password", "correct horse"],
];

test("an operator makes a workspace and keys that work until they are revoked", async () => {
  const { organizationId, userId } = await done("create-workspace", "--name", "Made", ...owner());
  expect(userId).toMatch(/^usr_/);
  const args = ["--organization", organizationId, "--preset", "read_only"];
  const { id, key } = await done("create-key", ...args, "--name", "Reports", "--expires", "2099-01-01");
  const api = apiWith(key);
  const { body } = await api("GET /me");
  expect(body).toMatchObject({ organizationId, apiKey: { id, name: "Reports" } });
  expect(body.apiKey.scopes).toHaveLength(8);
  expect(await done("revoke-key", "--id", id)).toEqual({ id });
  expect((await api("GET /me")).status).toBe(401);
});

test("an operator sets the plan, which every endpoint but GET /me heeds", async ({ workspace }) => {
  const { organizationId, api } = workspace;
  const plan = ["set-plan", "--organization", organizationId];
  expect(await done(...plan, "--seats", "1", "--status", "inactive")).toEqual({
    organizationId,
    seats: 1,
    status: "inactive",
  });
  expect((await api("GET /contracts")).status).toBe(402);
  expect((await api("GET /me")).status).toBe(200);
  expect(await done(...plan, "--status", "active")).toMatchObject({ seats: 1, status: "active" });
  expect((await api("GET /contracts")).status).toBe(200);
});

test("an operator adds members as far as there are seats", async ({ workspace }) => {
  const { organizationId, api } = workspace;
  await done("set-plan", "--organization", organizationId, "--seats", "2");
  const add = (email: string) => [
    ...["add-member", "--organization", organizationId, "--email", email, "--name", "Abe"],
    ...["--password", "correct horse", "--role", "admin"],
  ];
  const added = await done(...add(`${randomUUID()}@test.example`));
  const { body } = await api("GET /members");
  expect(body.data[0]).toMatchObject({ ...added, role: "admin" });
  const refused = await admin(...add(`${randomUUID()}@test.example`));
  expect(refused).toMatchObject({ code: 1, out: "", err: expect.stringContaining("seat") });
});

test("an operator verifies the audit log", async ({ workspace }) => {
  const { organizationId } = workspace;
  const verified = await done("verify-audit", "--organization", organizationId);
  expect(verified).toMatchObject({ organizationId, ok: true, events: 2, problem: null });
});

test("what names nothing that exists is refused with exit code 1", async () => {
  for (const args of [
    ["revoke-key", "--id", "key_missing"],
    ["set-plan", "--organization", "org_missing"],
    ["create-key", "--organization", "org_missing", "--preset", "full_access"],
    ["verify-audit", "--organization", "org_missing"],
  ]) {
    const run = await admin(...args);
    expect(run).toMatchObject({ code: 1, out: "", err: expect.stringContaining("missing") });
  }
});

test("a command line that cannot be understood is told how to be, with exit code 2", async () => {
  for (const [args, said] of [
    [[], "create-workspace"],
    [["nope"], "There is no command nope."],
    [["set-plan"], "--organization is required"],
    [["set-plan", "--organization", "org_x", "--seats", "0"], "--seats must be"],
    [["set-plan", "--organization", "org_x", "--organization", "org_y"], "given 2 times"],
    [["set-plan", "--organization", "org_x", "--colour", "red"], "--colour"],
    [["revoke-key", "--id", "x", "y"], "Unexpected argument"],
    [["create-key", "--organization", "org_x", "--preset", "all"], "full_access, read_only"],
    [["create-workspace", "--name", "N", ...owner().slice(0, 5), "short"], "--owner-password must have"],
  ] as [string[], string][]) {
    const run = await admin(...args);
    expect(run).toMatchObject({ code: 2, out: "", err: expect.stringContaining(said) });
    expect(run.err).toContain("Usage:");
  }
});
