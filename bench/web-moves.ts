/** Measures what follows a key or a click within a page, at full speed: the next page's skeleton, the palette. */
import type { Browser, Page } from "@playwright/test";
import { median } from "./percentiles.ts";
import type { Cookie } from "./sign-in.ts";

export interface MoveRow {
  move: string;
  count: number;
  ms: number;
  limitMs: number;
  holds: boolean;
}

const limits = { link: 100, palette: 50 };
/** A median of fewer rounds says little about what takes tens of milliseconds. */
const leastRounds = 9;
const links = ["Contracts", "Obligations", "Counterparties", "Templates", "Signatures", "Home"];

export async function measureMoves(
  browser: Browser,
  url: string,
  { cookies, rounds }: { cookies: Cookie[]; rounds: number },
): Promise<MoveRow[]> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  try {
    await context.addCookies(cookies);
    const page = await context.newPage();
    await page.addInitScript(watchInput);
    const times = { link: [] as number[], palette: [] as number[] };
    for (let round = 0; round < Math.max(rounds, leastRounds); round++) {
      // A new page, in which the palette has not been opened before.
      await page.goto(`${url}/home`, { waitUntil: "networkidle" });
      times.palette.push(await timed(page, () => page.keyboard.press("Control+k"), '[role="dialog"]'));
      await page.keyboard.press("Escape");
      for (const name of links) {
        const link = page.getByRole("navigation", { name: "Workspace" }).getByRole("link", { name });
        const shown = `[aria-label="Loading the page …"], a[aria-current="page"][href="${await link.getAttribute("href")}"]`;
        times.link.push(await timed(page, () => link.click(), shown));
        await page.waitForLoadState("networkidle");
      }
    }
    return [
      row("a link: the page or its skeleton", times.link, limits.link),
      row("the palette, opened for the first time", times.palette, limits.palette),
    ];
  } finally {
    await context.close();
  }
}

function row(move: string, times: number[], limitMs: number): MoveRow {
  const ms = median(times);
  return { move, count: times.length, ms, limitMs, holds: ms <= limitMs };
}

async function timed(page: Page, input: () => Promise<unknown>, shown: string): Promise<number> {
  // The page watches by itself, so that the browser has nothing else to run between the input and the result.
  const watched = await page.evaluateHandle((selector) => window.input.until(selector), shown);
  await input();
  const ms = await watched.evaluate(({ shownMs }) => shownMs);
  if (ms === null) throw new Error(`Nothing was shown of ${shown}: ${page.url()}`);
  return ms;
}

declare global {
  interface Window {
    input: { until(selector: string): { shownMs: Promise<number | null> } };
  }
}

/** Runs in the page: measures from the input to the frame after which the result is visible; null if it never is. */
function watchInput(): void {
  const kinds = ["keydown", "click"];
  const patienceMs = 15_000;
  window.input = {
    until(selector) {
      const { promise: shownMs, resolve } = Promise.withResolvers<number | null>();
      setTimeout(() => resolve(null), patienceMs);
      const begin = ({ timeStamp }: Event) => {
        for (const kind of kinds) window.removeEventListener(kind, begin, { capture: true });
        const look = () => {
          if (!document.querySelector(selector)) return void requestAnimationFrame(look);
          setTimeout(() => resolve(performance.now() - timeStamp));
        };
        requestAnimationFrame(look);
      };
      for (const kind of kinds) window.addEventListener(kind, begin, { capture: true });
      return { shownMs };
    },
  };
}
