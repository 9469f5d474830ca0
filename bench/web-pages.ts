/** Measures first loads of pages in a browser: largest contentful paint, blocking time, bytes transferred. */
import { cpus } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import type { Page } from "@playwright/test";
import { pagesOf, type WebPage } from "#e2e/pages.ts";
import { mostScriptBytes, scriptCounter, scriptsNamedIn } from "#e2e/scripts.ts";
import { say } from "./flags.ts";
import { median } from "./percentiles.ts";
import type { PlainBrowser } from "./plain-browser.ts";
import type { Furnished } from "./web-workspace.ts";

export interface PageRow {
  page: string;
  lcpMs: number;
  tbtMs: number;
  /** Of the scripts that the page names and cannot work without. */
  scriptBytes: number;
  /** Of the scripts that it loads on its own when it needs them, such as the PDF viewer. */
  laterBytes: number;
  holds: boolean;
}

type Load = Omit<PageRow, "page" | "holds">;

/** Simulates a processor this many times slower. */
export const slowdown = 4;

export const limits = { lcpMs: 900, tbtMs: 100, scriptBytes: mostScriptBytes };

/** All pages, plus a contract that many people have worked on for years. */
export const measuredPages = (things: Furnished): WebPage[] => [
  ...pagesOf(things),
  { name: "one contract, long", path: `/contracts/${things.longContractId}` },
];

/** Loads each page once to warm the server up, then all of them in turns, so that a busy moment affects every page. */
export async function measurePages(
  browser: PlainBrowser,
  url: string,
  things: Furnished,
  { pages, rounds }: { pages: WebPage[]; rounds: number },
): Promise<PageRow[]> {
  const loads = new Map<string, Load[]>(pages.map(({ name }) => [name, []]));
  const scriptBytesOf = scriptCounter(url);
  for (let round = 0; round <= rounds; round++) {
    for (const page of pages) {
      // Work that the previous page started on the server, such as starting LibreOffice, must not count for this page.
      await machineAtRest();
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

const lookMs = 250;
const longestUnrestMs = 20_000;

/** Resolves once nine tenths of the machine's processor time are free, or after 20 seconds. */
async function machineAtRest(): Promise<void> {
  const deadline = Date.now() + longestUnrestMs;
  for (let before = processorTimes(); Date.now() < deadline; before = processorTimes()) {
    await pause(lookMs);
    const after = processorTimes();
    if (after.idle - before.idle > 0.9 * (after.all - before.all)) return;
  }
}

function processorTimes(): { idle: number; all: number } {
  const times = cpus().map((each) => each.times);
  const sum = (of: (each: (typeof times)[number]) => number) =>
    times.reduce((all, each) => all + of(each), 0);
  return {
    idle: sum(({ idle }) => idle),
    all: sum((each) => Object.values(each).reduce((a, b) => a + b, 0)),
  };
}

/** Loads the page once, with nothing cached. */
function loadOnce(
  browser: PlainBrowser,
  scriptBytesOf: ReturnType<typeof scriptCounter>,
  url: string,
  cookies: Furnished["cookies"],
): Promise<Load> {
  const opening = { cookies, slowdown, first: observe, rested: "window.observed.rested()" };
  return browser.withPage(url, opening, async (page) => {
    if (page.status !== 200) throw new Error(`${url} answered ${page.status}.`);
    if (new URL(page.url).pathname !== new URL(url).pathname) throw new Error(`${url} led to ${page.url}.`);
    const { lcpMs, tbtMs } = await page.evaluate<Pick<Load, "lcpMs" | "tbtMs">>("window.observed.figures()");
    const named = new Set(scriptsNamedIn(page.html));
    const others = [...page.scriptBytes].filter(([path]) => !named.has(path));
    const laterBytes = others.reduce((sum, [, bytes]) => sum + bytes, 0);
    return { lcpMs, tbtMs, scriptBytes: await scriptBytesOf(page.html), laterBytes };
  });
}

export async function slowDown(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: slowdown });
}

declare global {
  interface Window {
    observed: { figures(): { lcpMs: number; tbtMs: number }; rested(): boolean };
  }
}

/** Runs in the page before its own scripts. Blocking time is what exceeds 50 ms of long tasks after the first paint. */
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
