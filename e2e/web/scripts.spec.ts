/** The size of each page's scripts. */
import { globSync } from "node:fs";
import { signedIn } from "../members.ts";
import { pagesOf, somethingToShow, type WebPage } from "../pages.ts";
import { mostScriptBytes, scriptCounter, scriptsNamedIn } from "../scripts.ts";
import { root } from "../server.ts";
import { expect, signIn, test } from "./fixtures.ts";

/** The route of every page in `app`, such as `contracts/[id]`. */
const routes = globSync("app/(*)/**/page.tsx", { cwd: root }).map((file) =>
  file.replace(/^app\/\([a-z]+\)/, "").replace(/\/page\.tsx$/, ""),
);

/** Requested by a program that wants to act for someone; this test has none. */
const withoutAddress = ["/connect/[request]"];

test("every page of the web app is in the list used to measure script sizes", () => {
  const anything = { contractId: "id", versionId: "id", counterpartyId: "id", templateId: "id" };
  const paths = pagesOf({
    ...anything,
    envelopeId: "id",
    draftId: "id",
    endpointId: "id",
    signing: "/sign/id",
  });
  const leadsTo = (route: string, { path }: WebPage) =>
    new RegExp(`^${route.replace(/\[\w+\]/g, "[^/]+")}/?$`).test(path);
  const missing = routes.filter((route) => !paths.some((page) => leadsTo(route, page)));
  expect(routes.length).toBeGreaterThan(40);
  expect(missing).toEqual(withoutAddress);
});

/** Words from the code that every layer of a page may have to show (components/ui/common.tsx). */
const shared = "this part of the page loads automatically";

test("no page references more than 180,000 bytes of scripts, and a contract's page loads shared code once", async ({
  workspace,
}) => {
  const made = await workspace.api("POST /counterparties", { body: { name: "Alder Point Ltd" } });
  const pages = pagesOf(await somethingToShow(workspace, made.body.counterparty.id));
  const url = process.env.BASE_URL!;
  const owner = await signedIn(workspace, "owner", url);
  const bytesOf = scriptCounter(url);
  const tooLarge: string[] = [];
  for (const { name, path, isPublic } of pages) {
    const response = isPublic ? await fetch(url + path, { redirect: "manual" }) : await owner.get(path);
    expect(response.status, name).toBe(200);
    const html = await response.text();
    const bytes = await bytesOf(html);
    expect(bytes, name).toBeGreaterThan(100_000);
    if (name === "one contract") {
      const scripts = await Promise.all(
        scriptsNamedIn(html).map(async (script) => (await fetch(url + script)).text()),
      );
      expect(scripts.filter((script) => script.includes(shared))).toHaveLength(1);
    }
    if (bytes > mostScriptBytes) tooLarge.push(`${name}: ${bytes}`);
  }
  expect(tooLarge).toEqual([]);
});

test("scripts preloaded on Home, such as the command palette, total less than 60,000 bytes", async ({
  page,
  workspace,
}) => {
  await signIn(page, workspace);
  const bytes = new Map<string, number>();
  page.on("response", (response) => {
    const { pathname } = new URL(response.url());
    if (/chunks\/.+\.js$/.test(pathname)) bytes.set(pathname, Number(response.headers()["content-length"]));
  });
  const home = await page.goto("/home");
  const named = scriptsNamedIn(await home!.text());
  await page.waitForFunction(() => performance.getEntriesByName("parts loaded").length > 0);
  const ahead = [...bytes].filter(([path]) => !named.includes(path));
  const sum = ahead.reduce((all, [, size]) => all + size, 0);
  expect(sum).toBeGreaterThan(20_000);
  expect(sum, JSON.stringify(ahead)).toBeLessThan(60_000);
});

test("no stylesheet rule selects all descendants of a positional pseudo-class such as :last-child", async ({
  workspace,
}) => {
  const url = process.env.BASE_URL!;
  const owner = await signedIn(workspace, "owner", url);
  const html = await (await owner.get("/contracts")).text();
  const sheets = [...new Set(html.match(/\/_next\/static\/[\w./~-]+\.css/g))];
  const rules = (await Promise.all(sheets.map(async (path) => (await fetch(url + path)).text()))).join("");
  expect(rules).toContain(":last-child");
  const everythingWithin = /[^{}]*:(first|last|only|nth)-[\w-]+(\([^)]*\))?\s+\*[^{}]*/g;
  expect(rules.match(everythingWithin)).toBeNull();
});
