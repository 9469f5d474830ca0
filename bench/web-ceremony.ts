/** The signing ceremony on a phone: the time from opening the link until a long document's first page is visible. */
import type { Browser } from "@playwright/test";
import { median } from "./percentiles.ts";
import { slowDown } from "./web-pages.ts";
import type { Furnished } from "./web-workspace.ts";

export interface CeremonyRow {
  who: string;
  ms: number;
  holds: boolean;
}

export const limitMs = 2000;

export async function measureCeremony(
  browser: Browser,
  url: string,
  { ceremony }: Furnished,
  rounds: number,
): Promise<CeremonyRow[]> {
  const visitors = { "who comes for the first time": ceremony.first, "who has agreed": ceremony.agreed };
  const rows: CeremonyRow[] = [];
  for (const [who, path] of Object.entries(visitors)) {
    await open(browser, url + path);
    const times: number[] = [];
    for (let round = 0; round < rounds; round++) times.push(await open(browser, url + path));
    const ms = median(times);
    rows.push({ who, ms, holds: ms <= limitMs });
  }
  return rows;
}

async function open(browser: Browser, url: string): Promise<number> {
  const context = await browser.newContext({ viewport: { width: 375, height: 740 } });
  try {
    const page = await context.newPage();
    await slowDown(page);
    await page.addInitScript(waitForInk);
    await page.goto(url);
    await page.waitForFunction(() => window.inkedMs !== undefined, undefined, { timeout: 60_000 });
    return await page.evaluate(() => window.inkedMs!);
  } finally {
    await context.close();
  }
}

declare global {
  interface Window {
    /** When the first page was painted, counted from the start of the navigation. */
    inkedMs?: number;
  }
}

/** Runs in the page: checks in each frame whether the first page's canvas is visible and has something dark on it. */
function waitForInk(): void {
  const hasInk = () => {
    const canvas = document.querySelector<HTMLCanvasElement>('[aria-label^="Page 1 of "] canvas');
    if (!canvas || canvas.width === 0 || getComputedStyle(canvas).visibility === "hidden") return false;
    const small = new OffscreenCanvas(Math.ceil(canvas.width / 4), Math.ceil(canvas.height / 4));
    const drawing = small.getContext("2d")!;
    drawing.drawImage(canvas, 0, 0, small.width, small.height);
    const { data } = drawing.getImageData(0, 0, small.width, small.height);
    for (let at = 0; at < data.length; at += 4) if (data[at + 3]! > 0 && data[at]! < 200) return true;
    return false;
  };
  const look = () => {
    if (!hasInk()) return void requestAnimationFrame(look);
    // Runs after the frame that this callback belongs to.
    setTimeout(() => {
      window.inkedMs = performance.now();
    });
  };
  requestAnimationFrame(look);
}
