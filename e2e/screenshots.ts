/** `npm run screenshots`: takes the README's pictures of the demo workspace in a browser, as a new user sees it. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, type Page } from "@playwright/test";
import { browser } from "./browser.ts";
import { root, startServer } from "./server.ts";

const folder = join(root, "docs", "pictures");

async function signIn(page: Page, said: string): Promise<void> {
  const [, email, password] = /sign in +(\S+)\s+password +(\S+)/.exec(said) ?? [];
  if (!email || !password) throw new Error(`The start told of no demo workspace:\n${said}`);
  await page.goto("/sign-in");
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.waitForURL("**/home");
}

/** Saves the page as WebP, a third of a PNG's size. The browser itself converts it. */
async function take(page: Page, name: string): Promise<void> {
  await page.waitForLoadState("networkidle");
  const png = (await page.screenshot()).toString("base64");
  const studio = await page.context().browser()!.newPage();
  const webp = await studio.evaluate(async (source) => {
    const image = new Image();
    image.src = `data:image/png;base64,${source}`;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = image.naturalWidth;
    canvas.height = image.naturalHeight;
    canvas.getContext("2d")!.drawImage(image, 0, 0);
    return canvas.toDataURL("image/webp", 0.9).split(",")[1]!;
  }, png);
  await studio.close();
  await writeFile(join(folder, `${name}.webp`), Buffer.from(webp, "base64"));
}

await mkdir(folder, { recursive: true });
const dataDir = await mkdtemp(join(tmpdir(), "countersign-screenshots-"));
const server = await startServer({ DATA_DIR: dataDir, DATABASE_URL: "", SEED: "demo" }, [], []);
const chrome = await chromium.launch(browser.launchOptions);
try {
  const page = await chrome.newPage({
    baseURL: server.url,
    viewport: { width: 1280, height: 800 },
    colorScheme: "light",
    reducedMotion: "reduce",
  });
  await signIn(page, server.output());
  await take(page, "home");
  await page.goto("/contracts");
  await take(page, "contracts");
  await page.goto("/signatures");
  await page.locator("main tbody a").first().click();
  await page.waitForURL("**/signatures/*");
  await take(page, "signature");
} finally {
  await chrome.close();
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
}
