/** The table of contracts: measures from an input to the frame that shows the requested rows. */
import type { Browser, Page } from "@playwright/test";
import type { Cookie } from "./sign-in.ts";

export interface ChangeRow {
  change: string;
  count: number;
  p50Ms: number;
  p95Ms: number;
  holds: boolean;
}

/** One change: the preparation before the input, and the input itself. */
interface Change {
  kind: string;
  prepare?(page: Page): Promise<unknown>;
  input(page: Page): Promise<unknown>;
}

/** The limit for the 95th percentile of each kind, and of all together. */
export const limitMs = 200;

/** Loaded first, so that the server has been at work and has not just started. */
const warmUps = [
  "/contracts?type=LOI",
  "/contracts?type=LOI&sort=valueCents",
  "/contracts?status=EXPIRED&sort=expiresAt&dir=asc",
  "/contracts?status=ACTIVE&sort=title&dir=asc&page=2",
  "/contracts?q=cedar",
  "/contracts?q=maintenance",
];

/** Each change requests something new; only the next page has been prefetched, as it always is. */
export async function measureTable(browser: Browser, url: string, cookies: Cookie[]): Promise<ChangeRow[]> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  try {
    await context.addCookies(cookies);
    const page = await context.newPage();
    await page.addInitScript(watchRows);
    for (const path of warmUps) {
      await page.goto(url + path);
      await page.waitForLoadState("networkidle");
    }
    await page.goto(`${url}/contracts`);
    const times: { kind: string; ms: number }[] = [];
    for (const change of changes) {
      await change.prepare?.(page);
      await page.waitForLoadState("networkidle");
      times.push({ kind: change.kind, ms: await timed(page, change) });
    }
    const kinds = new Set(times.map(({ kind }) => kind));
    return [...kinds, "all"].map((change) =>
      row(
        change,
        times.filter(({ kind }) => change === "all" || kind === change).map(({ ms }) => ms),
      ),
    );
  } finally {
    await context.close();
  }
}

function row(change: string, times: number[]): ChangeRow {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)]!;
  const p95Ms = at(0.95);
  return { change, count: times.length, p50Ms: at(0.5), p95Ms, holds: p95Ms <= limitMs };
}

async function timed(page: Page, { kind, input }: Change): Promise<number> {
  // The page watches by itself, so that the browser has nothing else to run between the input and the rows.
  const watched = await page.evaluateHandle(() => window.rows.watch());
  await input(page);
  const ms = await watched.evaluate(({ shownMs }) => shownMs);
  if (ms === null) throw new Error(`A change of the ${kind} showed no other rows: ${page.url()}`);
  return ms;
}

// Each adds rows that sort before others on the page.
const statuses = [
  "Cancelled",
  "Draft",
  "In review",
  "Negotiating",
  "Approved",
  "Terminated",
  "Executed",
  "Active",
];
const types = ["NDA", "MSA", "SOW", "DPA"];
const words = [
  ...["alder", "harbor", "granite", "office lease", "pilot", "data processing", "supply", "juniper", "foods"],
  ...["brook ridge", "falcon", "platform", "energy", "media", "delta well", "field services", "stone"],
  ...["indigo gate", "labs", "ember"],
];

const option = (label: string) => (page: Page) =>
  page.getByRole("checkbox", { name: label, exact: true }).click();
const openFilter = (label: string) => async (page: Page) => {
  if (await page.getByRole("group", { name: label }).isHidden())
    await page
      .getByRole("search")
      .getByRole("button", { name: new RegExp(`^${label}`) })
      .click();
  await page.getByRole("group", { name: label }).waitFor();
};
const sortBy = (label: string) => (page: Page) =>
  page.getByRole("columnheader").getByRole("button", { name: label, exact: true }).click();
const open = (path: string) => (page: Page) => page.goto(new URL(path, page.url()).href);
const turn = (label: string) => (page: Page) => page.getByRole("button", { name: label }).click();

/** Enters the word at once: rows shown between two letters would be mistaken for the result. */
const type = (word: string) => (page: Page) =>
  page.getByRole("searchbox", { name: "Search contracts" }).fill(word);

const changes: Change[] = [
  ...statuses.map((label) => ({
    kind: "status",
    prepare: openFilter("Status"),
    input: option(label),
  })),
  ...["Contract", "Contract", "Value", "Value", "Ends", "Ends", "Activity", "Activity"].map(
    (label, index) => ({
      kind: "sort",
      ...(index === 0 ? { prepare: open("/contracts?status=ACTIVE&status=EXPIRED") } : {}),
      input: sortBy(label),
    }),
  ),
  ...types.map((label, index) => ({
    kind: "type",
    async prepare(page: Page) {
      if (index === 0) await open("/contracts")(page);
      await openFilter("Type")(page);
    },
    input: option(label),
  })),
  ...Array.from({ length: 5 }, (_, index) => ({
    kind: "next page",
    ...(index === 0 ? { prepare: open("/contracts?status=ACTIVE&page=300") } : {}),
    input: turn("Next page"),
  })),
  ...Array.from({ length: 5 }, (_, index) => ({
    kind: "previous page",
    ...(index === 0 ? { prepare: open("/contracts?page=600") } : {}),
    input: turn("Previous page"),
  })),
  ...words.map((word) => ({ kind: "search", prepare: open("/contracts"), input: type(word) })),
];

declare global {
  interface Window {
    rows: { watch(): { shownMs: Promise<number | null> } };
  }
}

/** Runs in the page. Rows count as shown in the first frame after which they stay the same; null if none came. */
function watchRows(): void {
  const restMs = 400;
  const patienceMs = 15_000;
  let inputAt = 0;
  let before = "";
  let onShown: (at: number) => void = () => undefined;
  const now = () =>
    Array.from(document.querySelectorAll("[data-row]"), (row) => row.getAttribute("href")).join();
  for (const type of ["click", "input"])
    document.addEventListener(
      type,
      (event) => {
        // A click on a label causes a second one on its checkbox: the first is the input.
        if (type === "input" || inputAt === 0) inputAt = event.timeStamp;
      },
      true,
    );
  const look = () => {
    const rows = now();
    if (rows === before) return;
    before = rows;
    requestAnimationFrame(() => {
      setTimeout(() => onShown(performance.now()));
    });
  };
  new MutationObserver(look).observe(document, {
    subtree: true,
    childList: true,
    attributes: true,
    attributeFilter: ["href"],
  });
  window.rows = {
    watch() {
      before = now();
      inputAt = 0;
      const { promise: shownMs, resolve } = Promise.withResolvers<number | null>();
      let rest = setTimeout(() => resolve(null), patienceMs);
      onShown = (at) => {
        if (inputAt === 0 || at < inputAt) return;
        clearTimeout(rest);
        rest = setTimeout(() => resolve(at - inputAt), restMs);
      };
      return { shownMs };
    },
  };
}
