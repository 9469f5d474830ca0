import { existsSync } from "node:fs";

/** The system's browser, where there is one. */
export function systemBrowser(): string | undefined {
  return ["/usr/bin/chromium", "/usr/bin/chromium-browser"].find((path) => existsSync(path));
}

const executablePath = systemBrowser();

/** Without a system's browser Playwright's own: the whole of it, which has a viewer of PDFs. */
export const browser = {
  browserName: "chromium" as const,
  // What readers have who chose nothing: dates in tests are written so.
  locale: "en-GB",
  timezoneId: "UTC",
  launchOptions: {
    ...(executablePath ? { executablePath } : { channel: "chromium" }),
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--no-first-run",
    ],
  },
};
