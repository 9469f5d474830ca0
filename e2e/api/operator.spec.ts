import { execFile, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { importContracts } from "#lib/contracts/import/import.ts";
import { apiWith, expect, test } from "../fixtures.ts";
import { openBrowser } from "../members.ts";
import { node, root, strictly } from "../server.ts";
import { docxOf } from "../templates.ts";

interface Run {
  code: number;
  out: string;
  err: string;
}

const program = [...strictly, join(root, "lib", "run", "admin.ts")];

/** Runs `npm run -s admin -- …`, without npm. */
const admin = (...args: string[]) => adminTold("", ...args);

/** The same, with text on standard input. */
function adminTold(input: string, ...args: string[]): Promise<Run> {
  return new Promise((resolve) => {
    const { stdin } = execFile(node, [...program, ...args], { cwd: root }, (error, out, err) =>
      resolve({ code: error ? Number(error.code) : 0, out, err }),
    );
    // A program that reads nothing may have exited already.
    stdin!.on("error", () => undefined);
    stdin!.end(input);
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

test("an operator can create a workspace and API keys that work until revoked, and migrate at any time", async () => {
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
  expect(await done("migrate")).toEqual({ migrated: true });
});

test("an operator can set the plan, and while it is inactive GET /contracts responds 402 but GET /me does not", async ({
  workspace,
}) => {
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

test("an operator can add members only while seats are left", async ({ workspace }) => {
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

test("a password can be passed on standard input instead of on the command line", async ({ workspace }) => {
  const password = `correct ${randomUUID()}`;
  const [email, another] = [`${randomUUID()}@test.example`, `${randomUUID()}@test.example`];
  const ownerBy = (said: string) => ["--owner-email", email, "--owner-name", "O", "--owner-password", said];
  const made = await adminTold(`${password}\n`, "create-workspace", "--name", "Made", ...ownerBy("-"));
  expect(made, made.err).toMatchObject({ code: 0, err: "" });
  expect((await openBrowser().signIn(email, password)).error).toBe(null);
  const member = ["--organization", workspace.organizationId, "--email", another, "--name", "Abe"];
  const added = await adminTold(password, "add-member", ...member, "--password", "-", "--role", "viewer");
  expect(added, added.err).toMatchObject({ code: 0, err: "" });
  expect((await openBrowser().signIn(another, password)).error).toBe(null);
  const none = await adminTold("", "create-workspace", "--name", "Made", ...ownerBy("-"));
  expect(none).toMatchObject({
    code: 2,
    out: "",
    err: expect.stringContaining("--owner-password must have"),
  });
});

test("on a terminal, passwords are prompted for and not echoed", async () => {
  const spawned = ["-c", "import pty, sys; sys.exit(pty.spawn(sys.argv[1:]) >> 8)", node, ...program];
  const args = ["--name", "Made", ...owner().slice(0, 5), "-"];
  const terminal = spawn("python3", [...spawned, "create-workspace", ...args], { cwd: root });
  let shown = "";
  terminal.stdout.on("data", (chunk) => (shown += chunk));
  const ended = once(terminal, "close");
  await expect.poll(() => shown).toContain("Password: ");
  terminal.stdin.write("correct horse\r");
  expect(await ended, shown).toEqual([0, null]);
  expect(shown).toContain("organizationId");
  expect(shown).not.toContain("horse");
});

test("an operator can verify the audit log", async ({ workspace }) => {
  const { organizationId } = workspace;
  const verified = await done("verify-audit", "--organization", organizationId);
  expect(verified).toMatchObject({ organizationId, ok: true, events: 2, problem: null });
});

test("an operator can import a template, and an invalid one is refused with the reason", async ({
  workspace,
}, testInfo) => {
  const outputPath = testInfo.outputPath.bind(testInfo);
  const [file, settings] = [outputPath("consulting.docx"), outputPath("settings.json")];
  await mkdir(outputPath(), { recursive: true });
  await writeFile(file, await docxOf(["{counterparty.name} gets {#extra}more of {/extra}{what}."]));
  await writeFile(settings, JSON.stringify({ name: "Consulting", contractType: "PSA", ourRole: "VENDOR" }));
  const args = ["import-template", "--organization", workspace.organizationId];
  const made = await done(...args, "--file", file, "--settings", settings);
  expect(made).toEqual({ id: expect.stringMatching(/^tpl_/), name: "Consulting", variables: 2, sections: 1 });
  const { body } = await workspace.api(`GET /templates/${made.id}`);
  expect(body.template).toMatchObject({ fileName: "consulting.docx", contractType: "PSA" });
  await writeFile(file, await docxOf(["{#open} {broken"]));
  const refused = await admin(...args, "--file", file);
  expect(refused).toMatchObject({ code: 1, out: "", err: expect.stringContaining("{broken and never ends") });
  await writeFile(file, "no archive");
  expect((await admin(...args, "--file", file)).err).toContain("--file: must be a PDF or DOCX");
  expect((await admin(...args, "--file", outputPath("nope"))).err).toContain("there is no such file");
});

test("an operator can import contracts with their documents, all rows or none", async ({
  workspace,
}, testInfo) => {
  test.setTimeout(300_000);
  const outputPath = testInfo.outputPath.bind(testInfo);
  const { api, organizationId, ownerId } = workspace;
  const owner = (await api("GET /members")).body.data[0].email;
  const folder = outputPath("documents");
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "alpha.docx"), await docxOf(["Alpha"]));
  await writeFile(join(folder, "fake.pdf"), "no PDF");
  await symlink("/etc/passwd", join(folder, "link.pdf"));
  await api("POST /counterparties", { body: { name: "Northwind" } });
  const csv = outputPath("contracts.csv");
  const args = ["import-contracts", "--organization", organizationId, "--csv", csv, "--files", folder];
  const header =
    "title;type;ourRole;ownerEmail;counterpartyName;effectiveDate;termMonths;autoRenews;valueCents;valueCurrency;status;fileName";
  const good = [
    header,
    `"Alpha ""quoted""\r\n";MSA;VENDOR;${owner.toUpperCase()};NORTHWIND;2026-01-01;12;yes;4800;EUR;ACTIVE;alpha.docx`,
    `=1+1;NDA;COUNTERPARTY;${owner};Fabrikam;;;;;;;`,
    "",
    `Gamma;NDA;COUNTERPARTY;${owner};fabrikam;;;;;;EXECUTED;`,
  ];
  const bad = [
    ...good,
    `;NDB;VENDOR;no one@test.example;;2026-13-01;-1;maybe;1.5;usd;OUT_FOR_SIGNATURE;`,
    ...["../../etc/passwd", "link.pdf", "fake.pdf", "alpha.docx"].map(
      (name) => `File;NDA;VENDOR;${owner};;;;;;;;${name}`,
    ),
    `Many;NDA;VENDOR;${owner};;;;;;;;;;`,
  ];
  await writeFile(csv, `\ufeff${bad.join("\r\n")}`);
  const before = (await api("GET /audit-events")).body.data[0].id;
  const request = async () => ({ csv: await readFile(csv), folder, dryRun: false });
  const report = await importContracts(workspace.ctx, await request());
  expect(report).toMatchObject({ contracts: 0, counterparties: 0, documents: 0, dryRun: false });
  const told = report.errors.map(({ line, path }) => `${line} ${path}`);
  expect(told.sort()).toEqual(
    [
      ...[
        "7 title",
        "7 type",
        "7 ownerEmail",
        "7 effectiveDate",
        "7 termMonths",
        "7 autoRenews",
        "7 valueCents",
      ],
      ...["7 valueCurrency", "7 status", "8 fileName", "9 fileName", "10 fileName", "11 fileName", "12 "],
    ].sort(),
  );
  expect((await api("GET /audit-events")).body.data[0].id).toBe(before);

  await writeFile(csv, `\ufeff${good.join("\r\n")}`);
  const counts = { organizationId, rows: 3, contracts: 3, counterparties: 1, documents: 1, errors: [] };
  expect(await done(...args, "--dry-run")).toEqual({ ...counts, dryRun: true });
  expect((await api("GET /contracts")).body.total).toBe(0);
  expect(await done(...args)).toEqual({ ...counts, dryRun: false });
  const { data } = (await api("GET /contracts?sort=createdAt&dir=asc")).body;
  expect(data.map(({ title }: { title: string }) => title).sort()).toEqual([
    ...["=1+1", 'Alpha "quoted"', "Gamma"],
  ]);
  const alpha = data.find(({ title }: { title: string }) => title.startsWith("Alpha"));
  expect(alpha).toMatchObject({
    ...{ status: "ACTIVE", autoRenews: true, termMonths: 12, valueCents: "4800", ownerId },
    counterparty: { name: "Northwind" },
  });
  const versions = (await api(`GET /contracts/${alpha.id}/versions`)).body.data;
  expect(versions).toMatchObject([{ source: "IMPORTED", fileName: "alpha.docx", versionNumber: 1 }]);
  const events = (await api("GET /audit-events?action=DATA_IMPORTED")).body.data;
  expect(events).toMatchObject([{ payload: { changes: { contracts: { from: null, to: 3 } } } }]);
  const again = await importContracts(workspace.ctx, await request());
  expect(again.errors).toMatchObject([{ line: 2, path: "fileName" }]);
});

test("errors in a CSV are reported with their line", async ({ workspace }, testInfo) => {
  const outputPath = testInfo.outputPath.bind(testInfo);
  const csv = outputPath("contracts.csv");
  await mkdir(outputPath(), { recursive: true });
  const errorsOf = async (bytes: string | Buffer) => {
    await writeFile(csv, bytes);
    const run = await admin("import-contracts", "--organization", workspace.organizationId, "--csv", csv);
    expect(run.code).toBe(1);
    return JSON.parse(run.out).errors.map(
      ({ line, message }: { line: number; message: string }) => `${line} ${message}`,
    );
  };
  expect(await errorsOf(Buffer.from("title,type\nok,NDA\n\xe9t\xe9,NDA", "latin1"))).toEqual([
    "3 is not UTF-8: save the file as CSV in UTF-8",
  ]);
  expect(await errorsOf("")).toEqual([expect.stringContaining("1 is empty")]);
  expect(await errorsOf('title,colour,title\n"open')).toEqual([expect.stringContaining("is not CSV")]);
  expect(await errorsOf("title,colour,title\n")).toEqual([
    expect.stringContaining("1 is not one of the known columns"),
    "1 appears twice",
    ...["1 is missing: add this column", "1 is missing: add this column", "1 is missing: add this column"],
  ]);
});

test("a command that names a nonexistent key or workspace fails with exit code 1", async () => {
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

test("an invalid command line explains the correct usage and fails with exit code 2", async () => {
  for (const [args, said] of [
    [[], "create-workspace"],
    [["nope"], "There is no command nope."],
    [["set-plan"], "--organization is required"],
    [["set-plan", "--organization", "org_x", "--seats", "0"], "--seats must be"],
    [["set-plan", "--organization", "org_x", "--organization", "org_y"], "given 2 times"],
    [["set-plan", "--organization", "org_x", "--colour", "red"], "--colour"],
    [["revoke-key", "--id", "x", "y"], "Unexpected argument"],
    [["create-key", "--organization", "org_x", "--preset", "all"], "full_access, read_only"],
    [["create-key", "--organization", "org_x"], "--preset is required"],
    [["create-workspace", "--name", "N", ...owner().slice(0, 4)], "--owner-password is required"],
    [["create-workspace", "--name", "N", ...owner().slice(0, 5), "short"], "--owner-password must have"],
  ] as [string[], string][]) {
    const run = await admin(...args);
    expect(run).toMatchObject({ code: 2, out: "", err: expect.stringContaining(said) });
    expect(run.err).toContain("Usage:");
  }
});
