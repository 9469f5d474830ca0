/**
 * What browser tests stand on: a page that fails its test when the console tells of an error, a policy is broken
 * or something outside the origin is asked for; and members who are signed in already.
 */
import AxeBuilder from "@axe-core/playwright";
import { type BrowserContext, expect, type Page } from "@playwright/test";
import type { Role } from "#lib/core/scopes.ts";
import { type Workspace, test as withWorkspace } from "../fixtures.ts";
import { type Browser, type Member, signedIn } from "../members.ts";

const test = withWorkspace.extend<{ baseURL: string; another: () => Promise<Page> }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures off the pattern.
  baseURL: async ({}, use) => use(process.env.BASE_URL!),
  context: async ({ context }, use) => {
    const wrong = watch(context);
    context.on("page", waitForHands);
    await use(context);
    expect(wrong).toEqual([]);
  },
  /** Opens a page in the browser of someone else. */
  another: async ({ browser }, use) => {
    const wrong: string[][] = [];
    const contexts: BrowserContext[] = [];
    await use(async () => {
      const context = await browser.newContext();
      contexts.push(context);
      wrong.push(watch(context));
      context.on("page", waitForHands);
      return context.newPage();
    });
    await Promise.all(contexts.map((context) => context.close()));
    expect(wrong.flat()).toEqual([]);
  },
});

/** What went wrong in a browser, as it happens. Refusals and lost connections that a test provokes show in the console: they are let pass. */
function watch(context: BrowserContext): string[] {
  const wrong: string[] = [];
  context.on("console", (message) => {
    if (message.type() !== "error") return;
    const isProvoked =
      /^Failed to load resource: (.*status of 4\d\d|net::ERR_(INTERNET_DISCONNECTED|CONNECTION_RESET))/;
    if (isProvoked.test(message.text()) && !isPart(message.location().url)) return;
    if (/^Failed to load resource/.test(message.text()) && unsteady.has(context)) return;
    wrong.push(`console: ${message.text()} (${message.location().url})`);
  });
  context.on("weberror", (error) => wrong.push(`error: ${error.error().message}`));
  context.on("request", (request) => {
    const url = new URL(request.url());
    const isOurs = url.origin === process.env.BASE_URL || ["data:", "blob:"].includes(url.protocol);
    // Its viewer of PDFs is a page too.
    const isBrowsers = ["chrome:", "chrome-extension:"].includes(url.protocol);
    if (!isOurs && !isBrowsers) wrong.push(`outside: ${request.url()}`);
  });
  return wrong;
}

/** Whose connection is lost by the test, or whose server is another one in the middle. */
const unsteady = new WeakSet<BrowserContext>();

/** Cuts the page's browser off, or lets it go on. What cannot be loaded meanwhile is no mistake of the page's. */
export async function setOffline(page: Page, isOffline: boolean): Promise<void> {
  unsteady.add(page.context());
  await page.context().setOffline(isOffline);
}

/** From now on the server has none of the parts of this page, as after an update of it, until the page is loaded anew. */
export async function outdate(page: Page): Promise<void> {
  unsteady.add(page.context());
  const parts = "**/_next/static/**";
  await page.route(parts, (route) => route.fulfill({ status: 404 }));
  page.on("request", (request) => {
    if (request.isNavigationRequest()) void page.unroute(parts);
  });
}

/** Nothing is loaded ahead of its being needed, as for a reader who pays for every byte. */
export const saveData = (page: Page): Promise<unknown> =>
  page.addInitScript(() => Object.defineProperty(navigator, "connection", { value: { saveData: true } }));

/** Waits until the parts of a page that come after it are there. */
export const partsLoaded = (page: Page): Promise<unknown> =>
  page.waitForFunction(() => performance.getEntriesByName("parts loaded").length > 0);

/** Of a page, without which it is not whole. */
const isPart = (url: string) => new URL(url).pathname.startsWith("/_next/");

/** Where React tells a browser's developer tools of its work. */
declare global {
  var __REACT_DEVTOOLS_GLOBAL_HOOK__: object;
  var reactsEffectsWait: boolean | undefined;
}

/** Has React tell, before it is loaded, whether effects of what it drew have not had their turn. */
function tellOfEffects(): void {
  /** React's flags of what has such effects. */
  const passive = 2048 | 8192 | 16;
  globalThis.__REACT_DEVTOOLS_GLOBAL_HOOK__ = {
    supportsFiber: true,
    checkDCE: () => undefined,
    inject: () => 1,
    onCommitFiberUnmount: () => undefined,
    onCommitFiberRoot(_: number, { current }: { current: { flags: number; subtreeFlags: number } }) {
      globalThis.reactsEffectsWait = ((current.flags | current.subtreeFlags) & passive) !== 0;
    },
    onPostCommitFiberRoot() {
      globalThis.reactsEffectsWait = false;
    },
  };
}

/**
 * What the server rendered can be seen before anything listens to it, and a key pressed by then is no one's: this waits
 * until the page's outermost element is React's and every control of it, whose parts may come later, and what it does
 * once mounted has had its turn.
 */
export async function hands(page: Page): Promise<void> {
  // A promise would count as an answer: what is waited for has to be said at once.
  await page.waitForFunction(() => {
    if (!document.querySelector('script[src*="/_next/"]')) return true;
    if (globalThis.reactsEffectsWait) return false;
    const isReacts = (element: Element) =>
      Object.keys(element).some((key) => key.startsWith("__reactFiber$"));
    const controls = document.querySelectorAll(["input", "textarea", "select", "button"].join());
    // Elements are React's before their listeners are: those come when the root is committed.
    const root = Object.entries(document).find(([key]) => key.startsWith("__reactContainer$"))?.[1];
    const isCommitted = root?.stateNode?.current?.memoizedState?.isDehydrated !== true;
    // Parts of it that wait for something are committed for themselves, although their elements may have been looked at.
    const fibers = [root?.stateNode?.current];
    for (let fiber = fibers.pop(); fiber; fiber = fibers.pop()) {
      if (fiber.memoizedState?.dehydrated) return false;
      fibers.push(...[fiber.sibling, fiber.child].filter(Boolean));
    }
    return isCommitted && [...document.body.children].some(isReacts) && [...controls].every(isReacts);
  });
  await page.evaluate(() => new Promise((done) => requestIdleCallback(done, { timeout: 10_000 })));
}

/** Opening a page, here, takes until it has hands. Where a page leads to another, a test that types there at once waits itself. */
function waitForHands(page: Page): void {
  // One that is closed again at once need not tell.
  page.addInitScript(tellOfEffects).catch(() => undefined);
  for (const name of ["goto", "reload"] as const) {
    const open: Page["goto"] & Page["reload"] = page[name].bind(page);
    page[name] = async (...args: Parameters<typeof open>) => {
      const response = await open(...args);
      await hands(page);
      return response;
    };
  }
}

/** Signs a new member of the workspace in, in the page's browser, without going through the sign-in page. */
export async function signIn(
  page: Page,
  workspace: Workspace,
  role: Role = "member",
): Promise<Member & Browser> {
  const url = process.env.BASE_URL!;
  const member = await signedIn(workspace, role, url);
  const cookies = [...member.cookies].map(([name, value]) => ({ name, value, url, httpOnly: true }));
  await page.context().addCookies(cookies);
  return member;
}

/** What axe looks for. In the dark the same elements are there, in other colours. */
const looks: { colorScheme: "light" | "dark"; runOnly: { type: "tag" | "rule"; values: string[] } }[] = [
  {
    colorScheme: "light",
    runOnly: { type: "tag", values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] },
  },
  { colorScheme: "dark", runOnly: { type: "rule", values: ["color-contrast", "link-in-text-block"] } },
];

declare global {
  interface Window {
    axe: { run(options: Parameters<AxeBuilder["options"]>[0]): ReturnType<AxeBuilder["analyze"]> };
  }
}

/** Nothing to complain of for axe (WCAG 2.2 AA), light and dark, and no sideways scrolling on a phone. */
export async function expectAccessible(page: Page): Promise<void> {
  // What the bar that stays at the top happens to cover half of is not out of reach.
  await page.evaluate(() => window.scrollTo(0, 0));
  for (const { colorScheme, runOnly } of looks) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    // Next takes a page's title away for a moment when it renders the page anew.
    await expect(page).toHaveTitle(/\S/);
    const options = { runOnly, resultTypes: ["violations" as const] };
    // Half a megabyte, which each page is given once. Within the page: it has no frames of other origins, and else another
    // page is opened for each look at it.
    const { violations } = (await page.evaluate(() => "axe" in window))
      ? await page.evaluate((options) => window.axe.run(options), options)
      : await new AxeBuilder({ page }).options(options).setLegacyMode().analyze();
    const found = violations.map(
      ({ id, nodes }) =>
        `${colorScheme} ${id}: ${nodes.map(({ target, failureSummary }) => `${target} ${failureSummary}`).join(" | ")}`,
    );
    expect(found).toEqual([]);
  }
  const before = page.viewportSize();
  await page.setViewportSize({ width: 375, height: 740 });
  const sideways = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  await expect.poll(sideways, "the page scrolls sideways at 375 px").toBeLessThanOrEqual(0);
  if (before) await page.setViewportSize(before);
}

export { expect, test };
