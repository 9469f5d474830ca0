import { existsSync } from "node:fs";

/** The system's browser, where there is one: Debian's Chromium, or the part of it that shows pages without windows. */
export function systemBrowser(isWhole = false): string | undefined {
  const whole = ["chromium", "chromium-browser"];
  const names = isWhole ? whole : ["chromium-headless-shell", ...whole];
  return names.map((name) => `/usr/bin/${name}`).find((path) => existsSync(path));
}

/** Without a system's browser Playwright's own. */
const launched = (executablePath: string | undefined, options: { channel?: string } = {}) => ({
  ...(executablePath ? { executablePath } : options),
  args: [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
  ],
});

/** Without windows, where it is installed so: showing a page takes a third less of the processor then. */
export const browser = {
  browserName: "chromium" as const,
  // What readers have who chose nothing: dates in tests are written so.
  locale: "en-GB",
  timezoneId: "UTC",
  launchOptions: launched(systemBrowser()),
};

/** The whole of it, which has a viewer of PDFs. */
export const wholeBrowser = { launchOptions: launched(systemBrowser(true), { channel: "chromium" }) };
