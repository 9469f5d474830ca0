/** Which way imports point. docs/design.md explains the layers; here they are enforced, with imports of types counted. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { expect, test } from "@playwright/test";

const root = join(import.meta.dirname, "..");

interface Import {
  /** From the project's folder. */
  to: string;
  /** The import is gone when the program runs. */
  isType: boolean;
}

interface Source {
  path: string;
  text: string;
  imports: Import[];
  packages: string[];
}

const statement = /^(?:import|export)\s+(type\s)?(?:[^"';]*?\sfrom\s+)?"([^"]+)";?$/gm;
const dynamic = /(typeof\s)?import\("([^"]+)"\)/g;

function readSource(path: string): Source {
  const text = readFileSync(join(root, path), "utf8");
  const written = [...text.matchAll(statement)].map(([, type, from]) => ({
    from: from!,
    isType: Boolean(type),
  }));
  const all = [
    ...written,
    ...[...text.matchAll(dynamic)].map(([, type, from]) => ({ from: from!, isType: Boolean(type) })),
  ];
  const inProject = ({ from }: { from: string }) => from.startsWith("#") || from.startsWith(".");
  const imports = all.filter(inProject).map(({ from, isType }) => ({
    to: from.startsWith("#") ? from.slice(1) : relative(root, resolve(root, dirname(path), from)),
    isType,
  }));
  const packages = all.filter((one) => !inProject(one) && !one.isType).map(({ from }) => from);
  return { path, text, imports, packages };
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

/** Beside those folders: what Next reads, and what other tools do. */
const rootSources = readdirSync(root)
  .filter((name) => /\.tsx?$/.test(name))
  .map(readSource);

/** From the ground up. Each imports what stands before it, never what stands behind. */
const floors = [
  ["core"],
  ["jobs", "mail", "storage", "egress"],
  [
    "documents/pdf",
    "documents/sandbox",
    "documents/content",
    "documents/typeset",
    "documents/docx",
    "documents/inspect",
  ],
  [
    "documents/text",
    "documents/terms",
    "documents/preview",
    "documents/render",
    "documents/freeze",
    "documents/stamp",
    "documents/seal",
    "documents",
  ],
  [
    "audit",
    "people/users",
    "people/members",
    "people/accounts",
    "keys",
    "webhooks",
    "counterparties",
    "custom-fields",
  ],
  ["assistants"],
  ["required-approvals"],
  ["obligations", "contracts", "templates", "comments", "approvals", "handover"],
  ["proposals", "previews"],
  ["uploads", "imports"],
  ["signatures", "signatures/verify", "signatures/seal", "signatures/draft", "signatures/send"],
  ["signatures/sign", "signatures/requests"],
  ["deletion"],
  ["events", "checkpoints", "notifications"],
  ["overview"],
  ["operations.ts", "routes.ts"],
  ["http"],
  ["openapi", "oauth"],
  ["mcp/answers", "mcp/tools", "mcp"],
  ["doors"],
  ["run/ports", "run/web", "run/backup", "run"],
].flat();

/** Which floor a file of lib stands on; -1 where none is named for it. */
function floorOf(path: string): number {
  const inLib = path.slice("lib/".length);
  const named = floors.filter((floor) => inLib === floor || inLib.startsWith(`${floor}/`));
  const [nearest] = named.sort((a, b) => b.length - a.length);
  return nearest === undefined ? -1 : floors.indexOf(nearest);
}

const inLib = (path: string) => path.startsWith("lib/");
const inDomain = (path: string) => {
  const floor = floorOf(path);
  return inLib(path) && floor >= floors.indexOf("audit") && floor <= floors.indexOf("overview");
};
const isIsomorphic = (path: string) => /\/(schema|lifecycle|catalogue|addresses)\.ts$/.test(path);
const isList = (path: string) => path.endsWith("/operations.ts");

/** Every `importer → imported` that a rule forbids. */
function breaches(from: (path: string) => boolean, to: (path: string) => boolean, types = false): string[] {
  return sources
    .filter(({ path }) => from(path))
    .flatMap(({ path, imports }) =>
      imports.filter((one) => (types || !one.isType) && to(one.to)).map((one) => `${path} → ${one.to}`),
    );
}

/** The circles of a graph, each with the imports that close it. */
function circlesOf(edges: Map<string, Map<string, string>>): string[] {
  const done = new Set<string>();
  const visit = (node: string, trail: string[]): string[] => {
    if (trail.includes(node)) {
      const circle = [...trail.slice(trail.indexOf(node)), node];
      return [
        circle
          .slice(1)
          .map((next, at) => edges.get(circle[at]!)!.get(next)!)
          .join(", then "),
      ];
    }
    if (done.has(node)) return [];
    const found = [...(edges.get(node)?.keys() ?? [])].flatMap((next) => visit(next, [...trail, node]));
    done.add(node);
    return found;
  };
  return [...edges.keys()].flatMap((node) => visit(node, []));
}

function graphOf(nodeOf: (path: string) => string): Map<string, Map<string, string>> {
  const edges = new Map<string, Map<string, string>>();
  for (const { path, imports } of sources) {
    for (const { to } of imports) {
      if (nodeOf(to) === nodeOf(path)) continue;
      const from = edges.get(nodeOf(path)) ?? new Map<string, string>();
      edges.set(nodeOf(path), from.set(nodeOf(to), `${path} → ${to}`));
    }
  }
  return edges;
}

test("the check reads the sources and their imports", () => {
  expect(sources.length).toBeGreaterThan(80);
  expect(sources.flatMap(({ imports }) => imports).length).toBeGreaterThan(200);
});

test("a cycle is reported with the imports that form it", () => {
  const edges = new Map([
    ["a", new Map([["b", "a/1.ts → b/1.ts"]])],
    ["b", new Map([["a", "b/2.ts → a/2.ts"]])],
  ]);
  expect(circlesOf(edges)).toEqual(["a/1.ts → b/1.ts, then b/2.ts → a/2.ts"]);
});

test("files do not import each other in a cycle", () => {
  expect(circlesOf(graphOf((path) => path))).toEqual([]);
});

test("folders do not import each other in a cycle", () => {
  expect(circlesOf(graphOf(dirname))).toEqual([]);
});

test("every import within lib points to the same layer or a lower one", () => {
  const homeless = sources.filter(({ path }) => inLib(path) && floorOf(path) < 0);
  expect(homeless.map(({ path }) => path)).toEqual([]);
  const up = sources
    .filter(({ path }) => inLib(path))
    .flatMap(({ path, imports }) =>
      imports.filter(({ to }) => inLib(to) && floorOf(to) > floorOf(path)).map(({ to }) => `${path} → ${to}`),
    );
  expect(up).toEqual([]);
});

test("lib itself has only operations.ts and routes.ts, and none of its folders more than 25 source files", () => {
  const loose = sources.filter(({ path }) => dirname(path) === "lib").map(({ path }) => path);
  expect(loose.sort()).toEqual(["lib/operations.ts", "lib/routes.ts"]);
  const folders = Map.groupBy(
    sources.filter(({ path }) => inLib(path)),
    ({ path }) => dirname(path),
  );
  const full = [...folders].filter(([, files]) => files.length > 25).map(([folder]) => folder);
  expect(full).toEqual([]);
});

test("schemas and lifecycles import no server code, so they can run in the browser", () => {
  const allowed = ["wire", "ids", "dates", "lifecycle", "scopes", "errors", "clock"].map(
    (name) => `lib/core/${name}.ts`,
  );
  const server = (path: string) => !isIsomorphic(path) && !allowed.includes(path);
  expect(breaches((path) => inDomain(path) && isIsomorphic(path), server)).toEqual([]);
  const packages = sources.filter(({ path }) => inLib(path) && isIsomorphic(path));
  expect(packages.flatMap(({ packages: names }) => names).filter((name) => name !== "zod")).toEqual([]);
});

test("only domains, core, jobs, mail, run, idempotency, the storage sweep and prisma import the database", () => {
  const may = (path: string) =>
    (inDomain(path) && !isIsomorphic(path) && !isList(path)) ||
    /^lib\/(core|jobs|mail|run)\/|^lib\/storage\/sweep\.ts$|^lib\/http\/idempotency\.ts$|^prisma\//.test(
      path,
    );
  const isDatabase = (path: string) => path === "lib/core/db.ts";
  expect(breaches((path) => !may(path), isDatabase)).toEqual([]);
  const generated = (path: string) => path.startsWith("prisma/generated/");
  expect(breaches((path) => !isDatabase(path), generated)).toEqual([]);
});

test("only core uses the whole database, and every file that does housekeeping is listed with a reason", () => {
  const using = (word: RegExp) => sources.filter(({ path, text }) => inLib(path) && word.test(text));
  const whole = using(/\bdatabase\(\)\./).map(({ path }) => path);
  expect(whole.sort()).toEqual(["lib/core/change.ts", "lib/core/db.ts", "lib/core/housekeeping.ts"]);
  const reasons = {
    "sign-ins": [
      "people/users/access.ts",
      "people/users/sessions.ts",
      "signatures/sign/sessions.ts",
      "people/accounts/workspaces.ts",
    ],
    "proofs of who someone is": ["people/accounts/sign-in.ts", "people/accounts/sso.ts"],
    "links in mails, and accounts without a workspace": [
      "people/accounts/sign-up.ts",
      "people/accounts/password-reset.ts",
      "people/accounts/acceptance.ts",
      "people/accounts/change-account.ts",
    ],
    "what is a person's own": [
      "people/accounts/profile.ts",
      "overview/calendar-feeds/calendar-feeds.ts",
      "overview/saved-filters/saved-filters.ts",
      "notifications/inbox.ts",
      "notifications/settings.ts",
      "notifications/unsubscribe.ts",
      "uploads/list.ts",
      "imports/imports.ts",
    ],
    "what members were told": ["notifications/send.ts"],
    "when and how often something was used": ["assistants/tokens.ts", "keys/keys.ts", "keys/usage.ts"],
    "totals, from when counting them took long": ["contracts/totals/totals.ts"],
    "jobs, and what became of them": [
      "imports/run.ts",
      "mail/queue.ts",
      "mail/sealed-mails.ts",
      "people/accounts/deferred.ts",
      "signatures/daily.ts",
      "signatures/mails.ts",
      "signatures/seal/seal.ts",
    ],
    "keys that no one chooses, and secrets encrypted with another SECRET_KEY": [
      "signatures/seal/keys.ts",
      "webhooks/endpoints.ts",
    ],
    "codes, tokens and registrations of assistants, and requests that are open": [
      "assistants/artifacts.ts",
      "assistants/clients.ts",
      "assistants/requests.ts",
    ],
    "what has become useless": [
      "assistants/sweep.ts",
      "http/idempotency.ts",
      "storage/sweep.ts",
      "run/tasks.ts",
      "notifications/daily.ts",
    ],
  };
  const keeping = using(/\b(housekeeping|atomicHousekeeping)\(/).map(({ path }) => path);
  const named = Object.values(reasons).flat();
  expect(keeping.filter((path) => path !== "lib/core/housekeeping.ts").sort()).toEqual(
    named.map((path) => `lib/${path}`).sort(),
  );
});

test("only the listed files create an OrganizationId or a system context", () => {
  const vouching = sources.filter(({ text }) => /\basOrganization\(|as OrganizationId\b/.test(text));
  expect(vouching.map(({ path }) => path).sort()).toEqual([
    "lib/assistants/grants.ts",
    "lib/assistants/tokens.ts",
    "lib/core/context.ts",
    "lib/doors/admit.ts",
    // A membership, and a signer's visit; above, a grant.
    "lib/people/users/sessions.ts",
    "lib/signatures/sign/sessions.ts",
    "prisma/demo/create.ts",
  ]);
  const acting = sources.filter(({ path, text }) => inLib(path) && /\bsystemContext\(/.test(text));
  expect(acting.map(({ path }) => path).sort()).toEqual([
    "lib/assistants/grants.ts",
    "lib/checkpoints/histories.ts",
    "lib/checkpoints/sign.ts",
    "lib/contracts/daily.ts",
    "lib/contracts/prepare.ts",
    "lib/contracts/review.ts",
    "lib/core/context.ts",
    "lib/imports/run.ts",
    "lib/obligations/owners.ts",
    "lib/overview/search/catch-up.ts",
    "lib/overview/search/clause-index.ts",
    "lib/overview/search/embedding-job.ts",
    "lib/overview/search/word-learning.ts",
    "lib/people/accounts/change-account.ts",
    "lib/people/accounts/sign-in.ts",
    "lib/people/members/workspaces.ts",
    "lib/people/users/access.ts",
    "lib/previews/draw.ts",
    "lib/proposals/catch-up.ts",
    "lib/proposals/read-version.ts",
    "lib/run/commands.ts",
    "lib/signatures/daily.ts",
    "lib/signatures/mails.ts",
    "lib/signatures/seal/seal.ts",
    "lib/signatures/verify/verification.ts",
    "lib/webhooks/announce-once.ts",
    "lib/webhooks/settle.ts",
  ]);
});

test("a domain's operations.ts imports only that domain, core/operation.ts and core/wire.ts", () => {
  const roomOf = (path: string) => path.split("/")[1];
  const shared = ["lib/core/operation.ts", "lib/core/wire.ts"];
  // What stands above domains names what they do.
  const lists = sources.filter(({ path }) => isList(path) && inDomain(path) && roomOf(path) !== "overview");
  const foreign = lists.flatMap(({ path, imports }) =>
    imports
      .filter(({ to }) => roomOf(to) !== roomOf(path) && !shared.includes(to))
      .map(({ to }) => `${path} → ${to}`),
  );
  expect(foreign).toEqual([]);
});

test("lib/http imports no domain, not even its types", () => {
  expect(breaches((path) => path.startsWith("lib/http/"), inDomain, true)).toEqual([]);
});

test("domains use no HTTP requests, responses, headers or cookies", () => {
  const words = /\b(Request|Response|Headers|cookies|IncomingMessage|ServerResponse)\b\s*[({<.]/;
  const speaking = sources.filter(({ path, text }) => inDomain(path) && words.test(text));
  expect(speaking.map(({ path }) => path)).toEqual([]);
});

test("only env.ts, the build and instrumentation.ts read the environment", () => {
  const reading = [...sources, ...rootSources].filter(({ text }) =>
    /\bprocess\.env\b|"(node:)?process"/.test(text),
  );
  expect(reading.map(({ path }) => path).sort()).toEqual([
    // Next bundles it for each of its runtimes, and puts the runtime's name in its place.
    "instrumentation.ts",
    "lib/core/env.ts",
    // It hands all of it to the build.
    "lib/run/web/build.ts",
  ]);
});

test("except in lib/run and components, only egress and mail connect out, and only spans.ts exports traces", () => {
  const ways = /^(undici|nodemailer|(node:)?https?|(node:)?tls)$/;
  const calling = sources
    .filter(({ path }) => !path.startsWith("lib/run/") && !path.startsWith("components/"))
    .filter(({ packages, text }) => packages.some((name) => ways.test(name)) || /[^.\w]fetch\(/.test(text))
    .map(({ path }) => path);
  expect(calling.sort()).toEqual(["lib/egress/connections.ts", "lib/mail/deliver.ts"]);
  // Its receiver is the operator's own, and what the standard says of headers, certificates and retries is in the package.
  const exporting = sources.filter(({ packages }) => packages.some((name) => name.includes("/exporter-")));
  expect(exporting.map(({ path }) => path)).toEqual(["lib/run/ports/spans.ts"]);
});

test("only Next's page and layout files have default exports", () => {
  const defaults = sources.filter(({ text }) => /^export default/m.test(text)).map(({ path }) => path);
  expect(
    defaults.filter(
      (path) => !/^app\/.*\/?(page|layout|not-found|error|global-error|loading)\.tsx$/.test(path),
    ),
  ).toEqual([]);
});

test("at run time, pages and components import from domains only what can run in the browser", () => {
  const ui = (path: string) =>
    path.startsWith("components/") || (path.startsWith("app/") && path.endsWith(".tsx"));
  expect(breaches(ui, (path) => inDomain(path) && !isIsomorphic(path))).toEqual([]);
});

test("components/ui imports nothing outside itself, and only components/query.tsx uses react-query", () => {
  const outside = (path: string) => !path.startsWith("components/ui/");
  expect(breaches((path) => !outside(path), outside, true)).toEqual([]);
  const users = sources.filter(({ packages }) => packages.includes("@tanstack/react-query"));
  expect(users.map(({ path }) => path)).toEqual(["components/query.tsx"]);
});

test("of lib and prisma, Next bundles only the listed files and what domains allow in the browser", () => {
  const byPath = new Map(sources.map((source) => [source.path, source]));
  const reached = new Set<string>();
  const reach = (path: string) => {
    if (reached.has(path)) return;
    reached.add(path);
    const { imports } = byPath.get(path) ?? readSource(path);
    for (const { to, isType } of imports) if (!isType && /\.tsx?$/.test(to)) reach(to);
  };
  for (const { path } of sources) if (path.startsWith("app/")) reach(path);
  for (const path of ["instrumentation.ts", "proxy.ts"]) reach(path);
  const core = ["clock", "dates", "env", "errors", "ids", "log", "money", "network", "scopes", "wire"];
  const doors = ["client", "page", "product", "session-client", "sign-client", "web"];
  expect([...reached].filter((path) => /^(lib|prisma)\//.test(path) && !isIsomorphic(path)).sort()).toEqual([
    ...core.map((name) => `lib/core/${name}.ts`),
    "lib/documents/typeset/mark-layout.ts",
    ...doors.map((name) => `lib/doors/${name}.ts`),
    "lib/http/host.ts",
    "lib/http/proxy.ts",
    "lib/run/load-product.ts",
  ]);
});

test("only pdf-lib.ts and trim-packages.ts refer to the pdf-lib package", () => {
  const naming = [...sources, ...rootSources].filter(({ text }) => /@cantoo\W+pdf-lib/.test(text));
  expect(naming.map(({ path }) => path).sort()).toEqual([
    "lib/documents/pdf/pdf-lib.ts",
    // It removes what of the package nothing needs.
    "lib/run/trim-packages.ts",
  ]);
});
