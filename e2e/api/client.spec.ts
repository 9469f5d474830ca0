/** The description is good enough to generate a typed client, which then works with the server. */
import { execFile } from "node:child_process";
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import openapiTS, { astToString } from "openapi-typescript";
import { expect, test } from "../fixtures.ts";
import { node, root } from "../server.ts";

const run = promisify(execFile);

const program = `
import createClient from "openapi-fetch";
import type { components, paths } from "./countersign.d.ts";

const { URL: baseUrl, KEY: key = "", OWNER: ownerId = "" } = process.env;
const client = createClient<paths>({ baseUrl, headers: { "x-api-key": key } });

const made = await client.POST("/contracts", {
  body: { title: "Made by a client", type: "NDA", ourRole: "VENDOR", ownerId, valueCents: "100" },
});
const contract: components["schemas"]["Contract"] | undefined = made.data?.contract;

const list = await client.GET("/contracts", {
  params: { query: { status: ["DRAFT", "ACTIVE"], sort: "createdAt", page: 1 } },
});
const titles: string[] | undefined = list.data?.data.map((each) => each.title);
const total: number | undefined = list.data?.total;

const refused = await client.POST("/contracts/{id}/status", {
  params: { path: { id: contract?.id ?? "" }, header: { "Idempotency-Key": "once" } },
  body: { next: "ACTIVE" },
});
const code: components["schemas"]["Error"]["error"]["code"] | undefined = refused.error?.error.code;

// @ts-expect-error: a title is needed.
const wrong = await client.POST("/contracts", { body: { type: "NDA", ourRole: "VENDOR", ownerId } });
const issues = wrong.error?.error.details?.issues.map((issue) => issue.path);

// @ts-expect-error: there is no such path.
type Nowhere = paths["/nowhere"];

console.log(JSON.stringify({ cents: contract?.valueCents, titles, total, code, issues }));
`;

/** Runs `work` in a folder like that of a user who has installed what the program needs. */
async function withFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "countersign-client-"));
  try {
    await symlink(join(root, "node_modules"), join(folder, "node_modules"), "junction");
    await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const compiler = [
  join(root, "node_modules", "typescript", "bin", "tsc"),
  ...["--noEmit", "--strict", "--skipLibCheck", "--allowImportingTsExtensions", "--types", "node"],
  ...["--target", "ES2024", "--module", "esnext", "--moduleResolution", "bundler"],
];

test("a client generated from the OpenAPI document type-checks and works against the server", async ({
  workspace,
}) => {
  // The compiler takes most of the time.
  test.slow();
  const reply = await workspace.api("GET /openapi.json", { key: null });
  await withFolder(async (cwd) => {
    await writeFile(join(cwd, "countersign.d.ts"), astToString(await openapiTS(reply.body)));
    await writeFile(join(cwd, "program.ts"), program);
    const checked = await run(node, [...compiler, "program.ts"], { cwd }).catch((error) => error);
    expect(checked.stdout).toBe("");

    const url = `${process.env.BASE_URL}/api/v1`;
    const env = { ...process.env, URL: url, KEY: workspace.key, OWNER: workspace.ownerId };
    const { stdout } = await run(node, ["program.ts"], { cwd, env });
    expect(JSON.parse(stdout)).toEqual({
      cents: "100",
      titles: ["Made by a client"],
      total: 1,
      code: "invalid_transition",
      issues: ["title"],
    });
  });
});
