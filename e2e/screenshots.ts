/**
 * `npm run screenshots`: the README's pictures, taken of the demo workspace in a browser, as whoever starts the
 * product sees it.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, type Page } from "@playwright/test";
import { browser } from "./browser.ts";
import { root, startServer } from "./server.ts";

const folder = join(root, "public", "readme");

async function signIn(page: Page, said: string): Promise<void> {
  const [, email, password] = /sign in +(\S+)\s+password +(\S+)/.exec(said) ?? [];
  if (!email || !password) throw new Error(`The start told of no demo workspace:\n${said}`);
  await page.goto("/sign-in");
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.waitForURL("**/home");
}

async function take(page: Page, name: string): Promise<void> {
  await page.waitForLoadState("networkidle");
  await page.screenshot({ path: join(folder, `${name}.png`) });
}

const dataDir = await mkdtemp(join(tmpdir(), "countersign-screenshots-"));
const server = await startServer({ DATA_DIR: dataDir, DATABASE_URL: "", SEED: "demo", STRICT: "off" });
const chrome = await chromium.launch(browser.launchOptions);
try {
  const page = await chrome.newPage({
    baseURL: server.url,
    viewport: { width: 1280, height: 800 },
    reducedMotion: "reduce",
  });
  await signIn(page, server.output());
  await take(page, "home");
  await page.goto("/contracts");
  await take(page, "contracts");
} finally {
  await chrome.close();
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
}
