/** Pages as a browser loads them for the first time: when the largest part is painted, what blocks, what comes over. */
import type { Browser, Page } from "@playwright/test";
import { pagesOf, type WebPage } from "#e2e/pages.ts";
import { mostScriptBytes, scriptCounter, scriptsNamedIn } from "#e2e/scripts.ts";
import { say } from "./flags.ts";
import type { Furnished } from "./web-workspace.ts";

export interface PageRow {
  page: string;
  lcpMs: number;
  tbtMs: number;
  /** Of the scripts that the page names: it does not work without them. */
  scriptBytes: number;
  /** Of those that it loads by itself when it comes to need them, such as the PDF viewer. */
  laterBytes: number;
  holds: boolean;
}

type Load = Omit<PageRow, "page" | "holds">;

/** A processor so many times slower than this one. */
export const slowdown = 4;

const limits = { lcpMs: 900, tbtMs: 100, scriptBytes: mostScriptBytes };

/** All pages, and of contracts one that many have worked on for years, too. */
export const measuredPages = (things: Furnished): WebPage[] => [
  ...pagesOf(things),
  { name: "one contract, long", path: `/contracts/${things.longContractId}` },
];

/** Each page once to warm the server up, then all of them in turns: a busy moment of the machine meets every page. */
export async function measurePages(
  browser: Browser,
  url: string,
  things: Furnished,
  { pages, rounds }: { pages: WebPage[]; rounds: number },
): Promise<PageRow[]> {
  const loads = new Map<string, Load[]>(pages.map(({ name }) => [name, []]));
  const scriptBytesOf = scriptCounter(url);
  for (let round = 0; round <= rounds; round++) {
    for (const page of pages) {
      const load = await loadOnce(
        browser,
        scriptBytesOf,
        url + page.path,
        page.isPublic ? [] : things.cookies,
      );
      if (round > 0) loads.get(page.name)!.push(load);
    }
    say(round === 0 ? "every page was opened once" : `round ${round} of ${rounds}`);
  }
  return pages.map(({ name }) => {
    const middle = (of: keyof Load) => median(loads.get(name)!.map((load) => load[of]));
    const row = {
      ...{ lcpMs: middle("lcpMs"), tbtMs: middle("tbtMs") },
      ...{ scriptBytes: middle("scriptBytes"), laterBytes: middle("laterBytes") },
    };
    const holds =
      row.lcpMs <= limits.lcpMs && row.tbtMs <= limits.tbtMs && row.scriptBytes <= limits.scriptBytes;
    return { page: name, ...row, holds };
  });
}

export const median = (values: number[]) => {
  const sorted = values.toSorted((a, b) => a - b);
  const half = Math.floor(sorted.length / 2);
  return sorted.length % 2 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2;
};

/** In a browser that remembers nothing. */
async function loadOnce(
  browser: Browser,
  scriptBytesOf: ReturnType<typeof scriptCounter>,
  url: string,
  cookies: Furnished["cookies"],
): Promise<Load> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  try {
    await context.addCookies(cookies);
    const page = await context.newPage();
    await slowDown(page);
    await page.addInitScript(observe);
    const bytesOfOthers = await countScripts(page);
    const response = await page.goto(url, { waitUntil: "load" });
    if (!response?.ok()) throw new Error(`${url} answered ${response?.status()}.`);
    if (new URL(page.url()).pathname !== new URL(url).pathname)
      throw new Error(`${url} led to ${page.url()}.`);
    await page.waitForLoadState("networkidle");
    await page.waitForFunction(() => window.observed.rested());
    const { lcpMs, tbtMs } = await page.evaluate(() => window.observed.figures());
    const html = await response.text();
    const laterBytes = bytesOfOthers(new Set(scriptsNamedIn(html)));
    return { lcpMs, tbtMs, scriptBytes: await scriptBytesOf(html), laterBytes };
  } finally {
    await context.close();
  }
}

export async function slowDown(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: slowdown });
}

/** Counts the bytes that come over for scripts, with their headers. Answers how many are of others than some. */
async function countScripts(page: Page): Promise<(but: ReadonlySet<string>) => number> {
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  const scripts = new Map<string, { path: string; bytes: number }>();
  session.on("Network.responseReceived", ({ requestId, response }) => {
    if (!/javascript/.test(response.mimeType)) return;
    scripts.set(requestId, { path: new URL(response.url).pathname, bytes: 0 });
  });
  session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    const script = scripts.get(requestId);
    if (script) script.bytes = encodedDataLength;
  });
  return (but) =>
    [...scripts.values()].reduce((sum, { path, bytes }) => (but.has(path) ? sum : sum + bytes), 0);
}

declare global {
  interface Window {
    observed: { figures(): { lcpMs: number; tbtMs: number }; rested(): boolean };
  }
}

/** Runs in the page before anything of its own. Total blocking time: of each long task after the first paint what is beyond 50 ms. */
function observe(): void {
  const long: { at: number; ms: number }[] = [];
  let lcpMs = 0;
  let painted = 0;
  const watch = (type: string, note: (entry: PerformanceEntry) => void) =>
    new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type, buffered: true });
  watch("largest-contentful-paint", ({ startTime }) => {
    lcpMs = startTime;
  });
  watch("paint", ({ name, startTime }) => {
    if (name === "first-contentful-paint") painted = startTime;
  });
  watch("longtask", ({ startTime, duration }) => {
    long.push({ at: startTime, ms: duration });
  });
  window.observed = {
    figures: () => ({
      lcpMs,
      tbtMs: long
        .map(({ at, ms }) => at + ms - Math.max(at, painted))
        .reduce((sum, ms) => sum + Math.max(0, ms - 50), 0),
    }),
    rested: () => performance.now() - (long.at(-1)?.at ?? 0) - (long.at(-1)?.ms ?? 0) > 1000,
  };
}
