/**
 * The basis of browser tests: a page that fails its test if the console reports an error, a policy is violated or
 * something outside the origin is requested; and members who are already signed in.
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
  /** Opens a page in another person's browser. */
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

/** Collects a browser's errors, except refusals and lost connections, which tests provoke. */
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
    // Its PDF viewer is a page as well.
    const isBrowsers = ["chrome:", "chrome-extension:"].includes(url.protocol);
    if (!isOurs && !isBrowsers) wrong.push(`outside: ${request.url()}`);
  });
  return wrong;
}

/** Browsers whose connection a test cuts, or whose server changes during the test. */
const unsteady = new WeakSet<BrowserContext>();

/** Disconnects the page's browser, or reconnects it. What fails to load meanwhile is not an error of the page. */
export async function setOffline(page: Page, isOffline: boolean): Promise<void> {
  unsteady.add(page.context());
  await page.context().setOffline(isOffline);
}

/** From now on the server has none of this page's scripts, as after an update, until the page is reloaded. */
export async function outdate(page: Page): Promise<void> {
  unsteady.add(page.context());
  const parts = "**/_next/static/**";
  await page.route(parts, (route) => route.fulfill({ status: 404 }));
  page.on("request", (request) => {
    if (request.isNavigationRequest()) void page.unroute(parts);
  });
}

/** Nothing is loaded before it is needed, as for a reader who pays for every byte. */
export const saveData = (page: Page): Promise<unknown> =>
  page.addInitScript(() => Object.defineProperty(navigator, "connection", { value: { saveData: true } }));

/** Waits until the parts that a page loads after it has opened have arrived. */
export const partsLoaded = (page: Page): Promise<unknown> =>
  page.waitForFunction(() => performance.getEntriesByName("parts loaded").length > 0);

/** Whether the URL is one of the page's own scripts or styles. */
const isPart = (url: string) => new URL(url).pathname.startsWith("/_next/");

/** React reports its work to the browser's developer tools through this hook. */
declare global {
  var __REACT_DEVTOOLS_GLOBAL_HOOK__: object;
  var reactsEffectsWait: boolean | undefined;
}

/** Must run before React loads: records whether effects of the last commit are still pending. */
function tellOfEffects(): void {
  /** React's flags for passive effects. */
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
 * The server-rendered page is visible before anything listens to it, and a key pressed by then is lost. Waits until
 * React has hydrated the page's outermost element and every control, including parts that come later, and until the
 * effects after mounting have run.
 */
export async function hands(page: Page): Promise<void> {
  // Synchronous, because a promise would count as a truthy result.
  await page.waitForFunction(() => {
    if (!document.querySelector('script[src*="/_next/"]')) return true;
    if (globalThis.reactsEffectsWait) return false;
    const isReacts = (element: Element) =>
      Object.keys(element).some((key) => key.startsWith("__reactFiber$"));
    const controls = document.querySelectorAll(["input", "textarea", "select", "button"].join());
    // Elements belong to React before their listeners are attached: those come when the root is committed.
    const root = Object.entries(document).find(([key]) => key.startsWith("__reactContainer$"))?.[1];
    const isCommitted = root?.stateNode?.current?.memoizedState?.isDehydrated !== true;
    // Suspended parts are committed separately, although their elements may already have passed the check above.
    const fibers = [root?.stateNode?.current];
    for (let fiber = fibers.pop(); fiber; fiber = fibers.pop()) {
      if (fiber.memoizedState?.dehydrated) return false;
      fibers.push(...[fiber.sibling, fiber.child].filter(Boolean));
    }
    return isCommitted && [...document.body.children].some(isReacts) && [...controls].every(isReacts);
  });
  await page.evaluate(() => new Promise((done) => requestIdleCallback(done, { timeout: 10_000 })));
}

/** Makes page.goto and page.reload wait for hands(). After following a link, a test that types at once has to wait. */
function waitForHands(page: Page): void {
  // A page that is closed at once need not report.
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

/** The rules that axe checks. Dark mode has the same elements in other colors. */
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

/** No findings by axe (WCAG 2.2 AA), in light and dark mode, and no sideways scrolling on a phone. */
export async function expectAccessible(page: Page): Promise<void> {
  // Scroll to the top: an element that the sticky bar happens to cover would be reported as unreachable.
  await page.evaluate(() => window.scrollTo(0, 0));
  for (const { colorScheme, runOnly } of looks) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    // Next removes a page's title for a moment when it renders the page again.
    await expect(page).toHaveTitle(/\S/);
    const options = { runOnly, resultTypes: ["violations" as const] };
    // axe is half a megabyte, so it is injected once per page. Legacy mode runs it within the page, which has no frames
    // of other origins; otherwise every check would open another page.
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
