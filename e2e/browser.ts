import { existsSync } from "node:fs";

/** The system's browser where there is one; else Playwright's own: the whole of it, which has a viewer of PDFs. */
const executablePath = ["/usr/bin/chromium", "/usr/bin/chromium-browser"].find((path) => existsSync(path));

export const browser = {
  browserName: "chromium" as const,
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
