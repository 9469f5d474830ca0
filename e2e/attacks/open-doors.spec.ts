/** The product started as the README says, as a stranger sees it. */
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createConnection } from "node:net";
import { networkInterfaces, tmpdir } from "node:os";
import { join } from "node:path";
import { workspaceIn } from "../admin.ts";
import { apiWith, expect, test } from "../fixtures.ts";
import { freePort, type RunningServer, root, startServer } from "../server.ts";
import { ask } from "./raw.ts";

/** Starts the server with the settings of a README command line, with a data folder and a port of its own. */
async function withServer(
  settings: Record<string, string>,
  look: (server: RunningServer, environment: Record<string, string>) => Promise<void>,
) {
  const dataDir = await mkdtemp(join(tmpdir(), "countersign-attacks-"));
  const port = String(await freePort());
  // Clears settings of the run's own server, which no README command line has.
  const fresh = { DATABASE_URL: "", SECRET_KEY: "", SEED: "", BASE_URL: "" };
  const environment = { ...fresh, DATA_DIR: dataDir, PORT: port, ...settings };
  const server = await startServer(environment, [], []);
  try {
    await look(server, environment);
  } finally {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Signs up as a stranger would, at the address that the operator configured. */
async function signUp(server: RunningServer, base: string) {
  const { host } = new URL(base);
  const post = (name: string, body: object) =>
    ask(`${server.url}/api/member/${name}`, {
      method: "POST",
      headers: { host, origin: base, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  const ways = JSON.parse((await post("account.ways", {})).text);
  const account = {
    email: "mallory@test.example",
    name: "M",
    workspaceName: "M",
    password: "a long password",
  };
  const answer = await post("account.signUp", account);
  return { shown: ways.signUp as string, status: answer.status };
}

/** Returns the status for a webhook endpoint at each of these addresses. */
async function privateTargets(server: RunningServer, environment: Record<string, string>) {
  const { key } = await workspaceIn(environment);
  const api = apiWith(key, server.url);
  const targets = [
    "http://127.0.0.1:9/",
    "http://localhost:9/",
    "http://169.254.169.254/",
    "https://10.0.0.1/",
  ];
  const statuses = [];
  for (const url of targets) {
    statuses.push((await api("POST /webhook-endpoints", { body: { url } })).status);
  }
  return statuses;
}

/**
 * Returns which of this machine's addresses other than 127.0.0.1 accept connections, and which refuse them. On a machine
 * without a network there is only the second one of its loopback interface, which such a server also refuses.
 */
async function reachable({ url }: RunningServer): Promise<{ open: number; closed: number }> {
  const own = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  // Link-local IPv6 addresses need the name of an interface.
  const others = own.filter(({ internal, scopeid }) => !internal && !scopeid).map(({ address }) => address);
  const count = { open: 0, closed: 0 };
  for (const host of [...others, "127.0.0.2"]) {
    const socket = createConnection(Number(new URL(url).port), host);
    const isOpen = await once(socket, "connect").then(
      () => true,
      () => false,
    );
    socket.destroy();
    count[isOpen ? "open" : "closed"]++;
  }
  return count;
}

test("`npm start` without settings listens on loopback only, and prints that it allows sign-up and private webhook targets", async () => {
  test.setTimeout(300_000);
  await withServer({ SEED: "none" }, async (server, environment) => {
    expect(await signUp(server, server.url)).toEqual({ shown: "open", status: 200 });
    expect(await privateTargets(server, environment)).toEqual([201, 201, 201, 201]);
    expect(await reachable(server)).toMatchObject({ open: 0 });
    expect(server.output()).toContain("Anyone who can reach it can sign up");
    expect(server.output()).toContain("Webhooks may go to this machine and its network");
  });
});

test("the README's command for one machine closes sign-up, blocks private webhook targets and creates no demo", async () => {
  test.setTimeout(300_000);
  const readme = await readFile(join(root, "README.md"), "utf8");
  const [, lines = ""] = /^\*\*One machine\*\*.*\n\n```sh\n([^`]+) npm start\n```/m.exec(readme) ?? [];
  const settings = Object.fromEntries(
    [...lines.matchAll(/(\w+)=(\S+)/g)].map(([, name, value]) => [name, value]),
  );
  expect(settings.BASE_URL).toMatch(/^https:/);
  await withServer(settings, async (server, environment) => {
    expect(await signUp(server, settings.BASE_URL)).toEqual({ shown: "closed", status: 403 });
    expect(await privateTargets(server, environment)).toEqual([422, 422, 422, 422]);
    expect(server.output()).toContain("Sign-up is closed");
    expect(server.output()).toContain("Webhooks go to public addresses only");
    expect(server.output()).not.toContain("A demo workspace was created");
    expect(server.output()).not.toContain("A demo workspace was created");
  });
});

test("a server that listens on all addresses closes sign-up and blocks private webhook targets", async () => {
  test.setTimeout(300_000);
  await withServer({ HOST: "0.0.0.0", SEED: "none" }, async (server, environment) => {
    expect((await reachable(server)).open, "they would be noticed").toBeGreaterThan(0);
    expect(await signUp(server, server.url)).toEqual({ shown: "closed", status: 403 });
    expect(await privateTargets(server, environment)).toEqual([422, 422, 422, 422]);
  });
});

test("a server with an external database and a public BASE_URL closes sign-up and creates no demo", async () => {
  test.setTimeout(300_000);
  const settings = {
    ...{ DATABASE_URL: process.env.DATABASE_URL!, SECRET_KEY: process.env.SECRET_KEY! },
    ...{ BASE_URL: "https://contracts.example", TRUSTED_PROXIES: "1", WORKER: "off" },
  };
  await withServer(settings, async (server) => {
    expect(await signUp(server, settings.BASE_URL)).toEqual({ shown: "closed", status: 403 });
    expect(server.output()).not.toContain("A demo workspace was created");
  });
});
