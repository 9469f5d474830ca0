/** What `npm test` does before the first test, with this test's own apt-get and sudo. */
import { execFile } from "node:child_process";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "../fixtures.ts";
import { packages } from "../prerequisites.ts";
import { node, root } from "../server.ts";

const names = Object.keys(packages);
/** Browsers and poolers are also found in fixed folders, which a test cannot take away. */
const missing = names.filter((name) => !name.startsWith("chromium") && name !== "pgbouncer");

interface Result {
  code: number;
  stderr: string;
  installed: string[];
}

/** Runs it on a system with only `apt-get` and `sudo`; `installs` says whether they work. */
async function prepareWith(options: {
  installs: boolean;
  environment?: Record<string, string>;
}): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), "countersign-prerequisites-"));
  const program = async (name: string, text: string) => {
    await writeFile(join(folder, name), `#!/bin/sh\n${text}\n`);
    await chmod(join(folder, name), 0o755);
  };
  const programs = missing.flatMap((name) => packages[name]!);
  const create = programs.map((name) => `: > "${folder}/${name}"`).join("\n");
  await program(
    "apt-get",
    `echo "$*" >> "${folder}/log"\n[ "$1" = install ] || exit 0\n${options.installs ? create : "exit 100"}`,
  );
  await program("sudo", '[ "$1" = -n ] && shift && exec "$@"');
  try {
    const env = { ...process.env, ...options.environment, PATH: folder };
    const ran = promisify(execFile)(node, [join(root, "e2e", "prerequisites.ts")], { env });
    const { code = 0, stderr } = await ran.catch((error) => error);
    const installed = (await readFile(join(folder, "log"), "utf8").catch(() => ""))
      .split("\n")
      .filter(Boolean);
    return { code, stderr, installed };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

test("missing test prerequisites are installed from Debian packages, by a command that is printed", async () => {
  const { code, stderr, installed } = await prepareWith({ installs: true });
  expect(installed).toEqual(["update -qq", `install -y -qq --no-install-recommends ${missing.join(" ")}`]);
  for (const command of installed) expect(stderr).toContain(`apt-get ${command}\n`);
  expect(code).toBe(0);
});

test("a failed installation stops the tests, and its last line names what is missing and how to install it", async () => {
  const { code, stderr } = await prepareWith({ installs: false });
  expect(code).toBe(1);
  expect(stderr.trim().split("\n").at(-1)).toBe(
    `The tests need ${missing.join(", ")}. Install with: sudo apt-get install --no-install-recommends ${missing.join(" ")}`,
  );
});

test("TEST_INSTALL=off installs nothing", async () => {
  const { code, stderr, installed } = await prepareWith({
    installs: true,
    environment: { TEST_INSTALL: "off" },
  });
  expect(installed).toEqual([]);
  expect(code).toBe(1);
  expect(stderr.trim().split("\n")).toHaveLength(1);
});

test("CONTRIBUTING.md and CI name the packages that the tests look for", async () => {
  const said = await readFile(join(root, "CONTRIBUTING.md"), "utf8");
  const listed = /The tests need these Debian packages: ([^.]+)\./.exec(said)?.[1] ?? "";
  expect([...listed.matchAll(/`([^`]+)`/g)].map(([, name]) => name)).toEqual(names);
  const ci = await readFile(join(root, ".ci", "run"), "utf8");
  expect(ci.replaceAll("\n# ", " ")).toContain(`${names.join(", ")}.`);
});
