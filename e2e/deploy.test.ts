/** Checks deploy/: what it starts exists, the settings it sets are known, and what it calls safe is safe. */
import { globSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { validate } from "dockerfile-utils";
import { parse, parseAllDocuments } from "yaml";
import { parseSettings } from "#lib/core/env.ts";
import { sources } from "#lib/run/web/build.ts";
import { dockerfileText, readStages, sentToBuild } from "./image/dockerfile.ts";
import { root } from "./server.ts";

const read = (path: string) => readFileSync(join(root, path), "utf8");
const [build, image] = readStages();

/** The commands behind `npm run NAME`. */
const { scripts } = JSON.parse(read("package.json"));
const programs = ["start", "worker", "admin"].map((name) => scripts[name].replace(/^.*exec /, ""));

/** The environment that programs get for the C library alone. */
const ofTheCLibrary: string = scripts.start.replace(/ exec .*$/, "");

/** Joins a command's words as in a shell; cuts off the arguments of an operator command. */
const written = (command: string[]) => command.join(" ").replace(/(admin\.ts) .*$/, "$1");

const known = [...read("lib/core/env.ts").matchAll(/^ {2}([A-Z][A-Z0-9_]+): /gm)].map(([, name]) => name!);

/** In seconds: more than a server takes after DRAIN_SECONDS, and more than a worker takes. */
const patience = { server: 60, worker: 60 };

const secondsOf = (said: string) => Number(/^(\d+)s$/.exec(said)![1]);

// biome-ignore lint/suspicious/noExplicitAny: YAML has no types.
type Yaml = any;

test("the Dockerfile is valid, installs from the lockfile, and starts the product as non-root with safe defaults", () => {
  expect(validate(dockerfileText).map(({ message }) => message)).toEqual([]);
  const [installed] = build!.steps.filter(({ said }) => said.startsWith("npm ci"));
  expect(installed!.said).toContain("--omit=dev");
  expect(build!.steps.at(-1)).toEqual({ keyword: "RUN", said: "npm run -s build" });
  expect(scripts.build).toBeDefined();
  expect(dockerfileText.match(/^FROM [a-z]+:[a-z0-9.-]+-slim/gm)).toHaveLength(2);
  expect(image!.steps.find(({ keyword }) => keyword === "USER")!.said).toMatch(/^[1-9]\d{3,}:[1-9]\d{3,}$/);
  expect(programs).toContain(written(image!.command));
  expect(image!.check.join(" ")).toContain("/readyz");
  expect(scripts.worker).toContain(`${ofTheCLibrary} exec node`);
  const [forC = "", value] = ofTheCLibrary.split("=");
  expect(image!.environment[forC]).toBe(value);
  const names = Object.keys(image!.environment).filter((name) => !["PATH", "NODE_ENV", forC].includes(name));
  expect(names.filter((name) => !known.includes(name))).toEqual([]);
  const settings = parseSettings({ ...image!.environment, BASE_URL: "https://contracts.example" });
  expect(settings).toMatchObject({ SIGN_UP: "closed", WEBHOOK_ALLOW_PRIVATE: false, SEED: "none" });
});

test("an image is built from sources only, without tests, data, local builds or secrets", () => {
  const kept = [
    "lib/run/start.ts",
    "app/layout.tsx",
    "prisma/schema.prisma",
    "package-lock.json",
    "proxy.ts",
  ];
  const left = [
    ...[".env", ".git/config", ".data/secret.key", "node_modules/pg/package.json", ".next/BUILD_ID"],
    ...[
      "lib/core/env.test.ts",
      "e2e/server.ts",
      "docs/design.md",
      "deploy/secrets.env",
      "prisma/generated/client.ts",
    ],
  ];
  expect(sentToBuild([...kept, ...left])).toEqual(kept);
});

test("every top-level file that Next reads triggers a rebuild and is sent to the image build", () => {
  const read = readdirSync(root).filter((name) => /^(instrumentation|next\.config|postcss|proxy)/.test(name));
  expect(sources).toEqual(expect.arrayContaining(read));
  const files = sources.map((source) => (/\.\w+$/.test(source) ? source : `${source}/some.ts`));
  expect(sentToBuild(files)).toEqual(files);
});

test("Compose waits for dependencies, publishes on loopback only, and requires every secret to be set", () => {
  const { services, networks }: Yaml = parse(read("deploy/compose.yaml"), { merge: true });
  expect(Object.keys(services).sort()).toEqual(
    ["bucket", "gotenberg", "migrate", "postgres", "redis", "s3", "server", "worker"].sort(),
  );
  for (const [name, service] of Object.entries<Yaml>(services)) {
    const published = service.ports ?? [];
    expect(
      published.filter((port: string) => !port.startsWith("${LISTEN:-127.0.0.1:")),
      name,
    ).toEqual([]);
    for (const [needed, { condition }] of Object.entries<Yaml>(service.depends_on ?? {})) {
      const isOnce = services[needed].restart === "no";
      expect(condition, `${name}: ${needed}`).toBe(
        isOnce ? "service_completed_successfully" : "service_healthy",
      );
      if (!isOnce) expect(services[needed].healthcheck.test[0], needed).toBe("CMD");
    }
    expect(service.image, name).toMatch(/^countersign$|^[a-z]+(\/[a-z]+)?:[\w.-]+$/);
  }
  const ours = [services.server, services.worker, services.migrate];
  for (const { read_only, cap_drop, security_opt, environment, command = image!.command } of ours) {
    expect({ read_only, cap_drop, security_opt }).toEqual({
      read_only: true,
      cap_drop: ["ALL"],
      security_opt: ["no-new-privileges:true"],
    });
    expect(Object.keys(environment).filter((name) => !known.includes(name))).toEqual([]);
    expect(programs).toContain(written(command));
  }
  expect(services.postgres.networks).toEqual(["inside"]);
  expect(services.gotenberg.networks).toEqual(["rendering"]);
  expect([networks.inside.internal, networks.rendering.internal]).toEqual([true, true]);
  const drain = Number(services.server.environment.DRAIN_SECONDS);
  expect(secondsOf(services.server.stop_grace_period)).toBeGreaterThanOrEqual(drain + patience.server);
  expect(secondsOf(services.worker.stop_grace_period)).toBeGreaterThanOrEqual(patience.worker);
  const required = [...read("deploy/compose.yaml").matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name);
  expect(required.sort()).toEqual(
    ["BASE_URL", "POSTGRES_PASSWORD", "S3_ACCESS_KEY_ID", "S3_SECRET_ACCESS_KEY", "SECRET_KEY"].sort(),
  );
});

const manifests: Yaml[] = globSync("deploy/kubernetes/*.yaml", { cwd: root }).flatMap((path) =>
  parseAllDocuments(read(path)).map((document) => document.toJS()),
);
const deployments = manifests.filter(({ kind }) => kind === "Deployment");
const named = (kind: string, name: string) =>
  manifests.find((one) => one.kind === kind && one.metadata?.name === name);

test("every Kubernetes object matches its schema, and everything it refers to exists", async () => {
  for (const manifest of manifests.filter(({ kind }) => kind !== "Kustomization")) {
    const { [manifest.kind]: Model } = await import(`kubernetes-models/${manifest.apiVersion}`);
    expect(() => new Model(manifest).validate(), `${manifest.kind} ${manifest.metadata.name}`).not.toThrow();
  }
  const { resources } = manifests.find(({ kind }) => kind === "Kustomization");
  const files = globSync("*.yaml", { cwd: join(root, "deploy/kubernetes") });
  expect([...resources, "kustomization.yaml"].sort()).toEqual(files.sort());
  const pods = deployments.map(({ spec }) => spec.template);
  const selectors = [...deployments, named("PodDisruptionBudget", "countersign-server")].map(
    ({ spec }) => spec.selector.matchLabels,
  );
  for (const selector of [...selectors, named("Service", "countersign").spec.selector]) {
    const fits = pods.filter(({ metadata }) =>
      Object.entries(selector).every(([name, value]) => metadata.labels[name] === value),
    );
    expect(fits).toHaveLength(1);
  }
  const [rule] = named("Ingress", "countersign").spec.rules;
  expect(rule.http.paths[0].backend.service).toEqual({ name: "countersign", port: { name: "http" } });
  expect(`https://${rule.host}`).toBe(named("ConfigMap", "countersign").data.BASE_URL);
});

test("Kubernetes runs the npm programs, probes /readyz and /livez, allows time to stop, and grants no privileges", () => {
  const { data } = named("ConfigMap", "countersign");
  expect(Object.keys(data).filter((name) => !known.includes(name))).toEqual([]);
  expect(() => parseSettings(data)).not.toThrow();
  expect(manifests.filter(({ kind }) => kind === "Secret")).toEqual([]);
  for (const { metadata, spec } of deployments) {
    const { containers, initContainers = [], terminationGracePeriodSeconds, ...pod } = spec.template.spec;
    const [main] = containers;
    const isServer = metadata.name === "countersign-server";
    const least = isServer ? Number(data.DRAIN_SECONDS) + patience.server : patience.worker;
    expect(terminationGracePeriodSeconds, metadata.name).toBeGreaterThanOrEqual(least);
    expect(pod.securityContext).toMatchObject({
      runAsNonRoot: true,
      runAsUser: 10001,
      seccompProfile: { type: "RuntimeDefault" },
    });
    expect(pod.automountServiceAccountToken).toBe(false);
    for (const { command = image!.command, securityContext, envFrom, volumeMounts } of [
      ...containers,
      ...initContainers,
    ]) {
      expect(programs).toContain(written(command));
      expect(securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ["ALL"] },
      });
      expect(envFrom.map((from: Yaml) => Object.keys(from)[0])).toEqual(["configMapRef", "secretRef"]);
      expect(volumeMounts.map(({ mountPath }: Yaml) => mountPath)).toContain(image!.environment.DATA_DIR);
    }
    expect(main.livenessProbe.httpGet.path).toBe("/livez");
    expect(main.readinessProbe?.httpGet.path).toBe(isServer ? "/readyz" : undefined);
    const ports = new Map(main.ports.map(({ name, containerPort }: Yaml) => [name, String(containerPort)]));
    expect(ports.get("metrics")).toBe(data.METRICS_PORT);
    if (isServer) expect(ports.get("http")).toBe(image!.environment.PORT);
    for (const probe of [main.livenessProbe, main.readinessProbe, main.startupProbe])
      if (probe) expect(ports.has(probe.httpGet.port)).toBe(true);
  }
});

test("systemd runs the npm programs hardened, allows time to stop, and lets the sandbox create its namespaces", () => {
  for (const path of globSync("deploy/systemd/*.service", { cwd: root })) {
    const lines = read(path)
      .split("\n")
      .filter((line) => /^\w+=/.test(line));
    const said = new Map(lines.map((line) => /^(\w+)=(.*)$/.exec(line)!.slice(1) as [string, string]));
    const folder = said.get("WorkingDirectory")!;
    expect(programs, path).toContain(said.get("ExecStart")!.replace(`${folder}/node_modules/.bin/`, ""));
    const pairs = said.get("Environment")!.split(" ");
    expect(pairs, path).toContain(ofTheCLibrary);
    const settings = pairs.filter((pair) => pair !== ofTheCLibrary).map((pair) => pair.split("="));
    expect(
      settings.map(([name]) => name!).filter((name) => name !== "NODE_ENV" && !known.includes(name)),
    ).toEqual([]);
    const { DATA_DIR, DRAIN_SECONDS = "0" } = Object.fromEntries(settings);
    expect(DATA_DIR).toBe(`/var/lib/${said.get("StateDirectory")}`);
    expect(Number(said.get("TimeoutStopSec"))).toBeGreaterThanOrEqual(
      Number(DRAIN_SECONDS) + patience.server,
    );
    expect(Object.fromEntries(said)).toMatchObject({
      ...{ User: "countersign", NoNewPrivileges: "yes", ProtectSystem: "strict", CapabilityBoundingSet: "" },
      ...{ RestrictNamespaces: "user net", UMask: "0077" },
    });
    const own = path.includes("worker") ? ["EnvironmentFile=-/etc/countersign-worker.env"] : [];
    expect(
      lines.filter((line) => line.startsWith("EnvironmentFile=")),
      "what is read last counts: a worker has settings of its own, such as a port that the server beside it does not have",
    ).toEqual(["EnvironmentFile=/etc/countersign.env", ...own]);
    expect(said.has("MemoryDenyWriteExecute"), "V8 compiles while it runs").toBe(false);
  }
});

test("haproxy checks /readyz, closes idle connections before a server does, and retries only failed connections", () => {
  const settings = read("deploy/haproxy.cfg").replace(/^\s*#.*$/gm, "");
  const number = (pattern: RegExp) => Number(pattern.exec(settings)![1]);
  expect(settings).toContain("option httpchk GET /readyz");
  const [, keptMs = ""] = /keepAliveTimeout = ([\d_]+)/.exec(read("lib/run/entrance.ts"))!;
  expect(number(/timeout http-keep-alive (\d+)s/)).toBeLessThan(Number(keptMs.replace("_", "")) / 1000);
  expect(settings.match(/^\s*retry-on .*$/gm)).toEqual(["  retry-on conn-failure"]);
  const [, drainSeconds] = /DRAIN_SECONDS=(\d+)/.exec(read("deploy/haproxy.cfg"))!;
  const noticedMs = number(/ inter (\d+)/) * number(/ fall (\d+)/);
  expect(noticedMs).toBeLessThan((Number(drainSeconds) * 1000) / 2);
});
