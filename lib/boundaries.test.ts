/** Which way imports point. The rules are the README's; here they are kept. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { expect, test } from "@playwright/test";

const root = join(import.meta.dirname, "..");

interface Source {
  path: string;
  text: string;
  /** What it imports from the project, as paths from the root; types alone do not count. */
  imports: string[];
  packages: string[];
}

const statement = /^(?:import|export)\s+(type\s)?(?:[^"';]*?\sfrom\s+)?"([^"]+)";?$/gm;
const dynamic = /import\("([^"]+)"\)/g;

function readSource(path: string): Source {
  const text = readFileSync(join(root, path), "utf8");
  const written = [...text.matchAll(statement)].filter(([, type]) => !type).map(([, , from]) => from!);
  const all = [...written, ...[...text.matchAll(dynamic)].map(([, from]) => from!)];
  const inProject = all.filter((from) => from.startsWith("#") || from.startsWith("."));
  const imports = inProject.map((from) =>
    from.startsWith("#") ? from.slice(1) : relative(root, resolve(root, dirname(path), from)),
  );
  return { path, text, imports, packages: all.filter((from) => !inProject.includes(from)) };
}

const sources = ["app", "components", "lib", "prisma"]
  .filter((folder) => existsSync(join(root, folder)))
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !entry.name.endsWith(".test.ts"))
      .map((entry) => relative(root, join(entry.parentPath, entry.name))),
  )
  .filter((path) => !path.startsWith("prisma/generated"))
  .map(readSource);

const domains = new Set(
  readdirSync(join(root, "lib"), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !["api", "run", "pdf", "storage"].includes(entry.name))
    .map((entry) => entry.name),
);
const isDomain = (path: string) => domains.has(path.split("/")[1] ?? "") && path.startsWith("lib/");
const isShared = (path: string) => /\/(schema|lifecycle)\.ts$/.test(path);
const isList = (path: string) => path.endsWith("/operations.ts");

/** Every `importer → imported` that a rule forbids. */
function breaches(from: (path: string) => boolean, to: (path: string) => boolean): string[] {
  return sources
    .filter(({ path }) => from(path))
    .flatMap(({ path, imports }) => imports.filter(to).map((imported) => `${path} → ${imported}`));
}

test("the sources were found", () => {
  expect(sources.length).toBeGreaterThan(80);
  expect(sources.flatMap(({ imports }) => imports).length).toBeGreaterThan(200);
});

test("imports make no cycles", () => {
  const byPath = new Map(sources.map((source) => [source.path, source]));
  const done = new Set<string>();
  const visit = (path: string, trail: string[]): string[] => {
    if (trail.includes(path)) return [[...trail.slice(trail.indexOf(path)), path].join(" → ")];
    if (done.has(path)) return [];
    const found = (byPath.get(path)?.imports ?? []).flatMap((next) => visit(next, [...trail, path]));
    done.add(path);
    return found;
  };
  expect(sources.flatMap(({ path }) => visit(path, []))).toEqual([]);
});

test("schemas and lifecycles can go to the browser: they import nothing of the server", () => {
  const allowed = [
    "lib/core/wire.ts",
    "lib/core/ids.ts",
    "lib/core/dates.ts",
    "lib/core/lifecycle.ts",
    "lib/core/scopes.ts",
    "lib/core/errors.ts",
  ];
  const server = (path: string) => !isShared(path) && !allowed.includes(path);
  expect(breaches((path) => isDomain(path) && isShared(path), server)).toEqual([]);
  const packages = sources.filter(({ path }) => isShared(path)).flatMap(({ packages: names }) => names);
  expect(packages.filter((name) => name !== "zod")).toEqual([]);
});

test("only domains, changes, jobs, doors and the sweep of stored files reach the database", () => {
  const may = (path: string) =>
    (isDomain(path) && !isShared(path) && !isList(path)) ||
    /^lib\/(change|jobs|queue|strict|mail-queue|mail-quota)\.ts$|^lib\/storage\/sweep\.ts$|^lib\/run\/|^lib\/api\/idempotency\.ts$|^prisma\//.test(
      path,
    );
  expect(
    breaches(
      (path) => !may(path),
      (path) => path === "lib/core/db.ts",
    ),
  ).toEqual([]);
  const generated = (path: string) => path.startsWith("prisma/generated/");
  expect(breaches((path) => path !== "lib/core/db.ts", generated)).toEqual([]);
});

test("an operations file is a list: it knows its own domain and the shared words", () => {
  const foreign = sources
    .filter(({ path }) => isList(path) && isDomain(path))
    .flatMap(({ path, imports }) =>
      imports
        .filter((imported) => dirname(imported) !== dirname(path))
        .filter((imported) => !["lib/core/operation.ts", "lib/core/wire.ts"].includes(imported))
        .map((imported) => `${path} → ${imported}`),
    );
  expect(foreign).toEqual([]);
});

test("the machine imports domains, never the other way", () => {
  const machine = (path: string) => path.startsWith("lib/api/") && path !== "lib/core/operation.ts";
  expect(breaches(isDomain, machine)).toEqual([]);
  // auth.ts is the way to the members' door: next-auth, told what a right password is. downloads.ts streams what
  // is no operation's answer.
  const knowsDomains = /^lib\/api\/(operations|routes|doors|auth|downloads|openapi[\w-]*)\.ts$/;
  expect(breaches((path) => path.startsWith("lib/api/") && !knowsDomains.test(path), isDomain)).toEqual([]);
});

test("a domain does not know HTTP", () => {
  const words = /\b(Request|Response|Headers|cookies|IncomingMessage|ServerResponse)\b\s*[({<.]/;
  const speaking = sources.filter(({ path, text }) => isDomain(path) && words.test(text));
  expect(speaking.map(({ path }) => path)).toEqual([]);
});

test("the environment is read in env.ts alone", () => {
  const reading = sources.filter(({ text }) => /process\.env\.|settings\(process\.env/.test(text));
  expect(reading.map(({ path }) => path)).toEqual([]);
});

test("the outside world is reached through egress.ts and mail.ts alone", () => {
  const ways = /^(undici|nodemailer|(node:)?https?|(node:)?tls)$/;
  const calling = sources
    .filter(({ path }) => !path.startsWith("lib/run/") && !path.startsWith("components/"))
    .filter(({ packages, text }) => packages.some((name) => ways.test(name)) || /[^.\w]fetch\(/.test(text))
    .map(({ path }) => path);
  expect(calling.sort()).toEqual(["lib/egress/errors.ts", "lib/egress/egress.ts", "lib/mail/deliver.ts"]);
});

test("nothing is exported as default but pages and layouts", () => {
  const defaults = sources.filter(({ text }) => /^export default/m.test(text)).map(({ path }) => path);
  expect(
    defaults.filter(
      (path) => !/^app\/.*\/?(page|layout|not-found|error|global-error|loading)\.tsx$/.test(path),
    ),
  ).toEqual([]);
});

test("pages and components are clients of the API: they import no domain but its schemas", () => {
  const ui = (path: string) =>
    path.startsWith("components/") || (path.startsWith("app/") && path.endsWith(".tsx"));
  expect(breaches(ui, (path) => isDomain(path) && !isShared(path))).toEqual([]);
});

test("the kit could ship in another product, and react-query has one place", () => {
  const fromKit = sources
    .filter(({ path }) => path.startsWith("components/ui/"))
    .flatMap(({ path, imports }) =>
      imports.filter((imported) => !imported.startsWith("components/ui/")).map((to) => `${path} → ${to}`),
    );
  expect(fromKit).toEqual([]);
  const users = sources.filter(({ packages }) => packages.includes("@tanstack/react-query"));
  expect(users.map(({ path }) => path)).toEqual(["components/query.tsx"]);
});
