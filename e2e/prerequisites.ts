/**
 * Checks for the programs that the tests need before the first test starts, so that no test is skipped silently.
 * Installs missing ones from Debian's packages if that needs no password (as root, or through `sudo -n`); a browser
 * comes from Playwright if there is no such package. TEST_INSTALL=off installs nothing. If something is still missing,
 * the run ends at once, with one line that names it and the command to get it.
 */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { chromium } from "@playwright/test";
import { systemBrowser } from "./browser.ts";
import { node, root } from "./server.ts";

/** Debian's packages, each with its programs that tests run. CONTRIBUTING.md and .ci/run list the same ones. */
export const packages: Record<string, string[]> = {
  chromium: ["chromium"],
  "chromium-headless-shell": ["chromium-headless-shell"],
  curl: ["curl"],
  openssl: ["openssl"],
  pgbouncer: ["pgbouncer"],
  "poppler-utils": ["pdffonts", "pdfsig", "pdftoppm", "pdftotext"],
  procps: ["ps"],
  python3: ["python3"],
  qpdf: ["qpdf"],
  "redis-server": ["redis-server"],
};

function isHere(program: string): boolean {
  const isWhole = program === "chromium";
  if (isWhole || program === "chromium-headless-shell") {
    return systemBrowser(isWhole) !== undefined || existsSync(chromium.executablePath());
  }
  // Servers are in a folder that is only on root's path.
  const folders = [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin"];
  return folders.some((folder) => existsSync(join(folder, program)));
}

function missingOf(needed: Record<string, string[]>): string[] {
  return Object.keys(needed).filter((name) => !needed[name]!.every(isHere));
}

function run(command: string, args: string[]): boolean {
  process.stderr.write(`> ${command} ${args.join(" ")}\n`);
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  return spawnSync(command, args, { stdio: ["ignore", "ignore", "inherit"], env }).status === 0;
}

/** Installs as root, or with a sudo that needs no password. */
function installFromDebian(names: string[]): void {
  const [command, ...before] = process.getuid?.() === 0 ? ["apt-get"] : ["sudo", "-n", "apt-get"];
  if (!isHere("apt-get") || !isHere(command!)) return;
  run(command!, [...before, "update", "-qq"]);
  run(command!, [...before, "install", "-y", "-qq", "--no-install-recommends", ...names]);
}

function installBrowser(): void {
  run(node, [join(root, "node_modules", "@playwright", "test", "cli.js"), "install", "chromium"]);
}

function advice(missing: string[]): string {
  const names = missing.join(" ");
  if (isHere("apt-get")) return `sudo apt-get install --no-install-recommends ${names}`;
  if (process.platform === "darwin") {
    const formulas = missing.map(
      (name) => ({ "poppler-utils": "poppler", "redis-server": "redis" })[name] ?? name,
    );
    return `brew install ${formulas.join(" ")}`;
  }
  return `your system's package manager; Debian calls them ${names}`;
}

/** Throws a one-line error if something is missing that could not be installed. */
export function prepare(needed = packages): void {
  if (process.env.TEST_INSTALL !== "off") {
    const missing = missingOf(needed);
    if (missing.length > 0) installFromDebian(missing);
    if (missingOf(needed).includes("chromium")) installBrowser();
  }
  const missing = missingOf(needed);
  if (missing.length > 0) {
    throw new Error(`The tests need ${missing.join(", ")}. Install with: ${advice(missing)}`);
  }
}

if (import.meta.main) {
  try {
    prepare();
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    process.exitCode = 1;
  }
}
