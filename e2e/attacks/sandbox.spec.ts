/** What a program that reads strangers' files could do if such a file took control of it. */

import { createSocket } from "node:dgram";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createServer as createSocketServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { projectPath } from "#lib/core/root.ts";
import { hasNamespaces, refuseReadable, startSandboxed } from "#lib/documents/sandbox/sandbox.ts";
import { simplePdf } from "../corpus/pdf.ts";
import { expect, test } from "../fixtures.ts";

/** Listens on local HTTP, UDP and Unix sockets, and counts the connections and messages. */
async function listenEverywhere(folder: string) {
  let visits = 0;
  const count = () => void visits++;
  const listening = async (server: Server, ...to: [number, string] | [string]) => {
    server.on("connection", count);
    await new Promise<void>((resolve) => server.listen(...(to as [string]), resolve));
    return server;
  };
  const http = await listening(
    createServer((_, response) => response.end("reached")),
    0,
    "127.0.0.1",
  );
  const socket = join(folder, "socket");
  const unix = await listening(createSocketServer(), socket);
  const udp = createSocket("udp4").on("message", count);
  await new Promise<void>((resolve) => udp.bind(0, "127.0.0.1", resolve));
  return {
    port: (http.address() as AddressInfo).port,
    udpPort: udp.address().port,
    socket,
    visits: () => visits,
    close() {
      http.close();
      unix.close();
      udp.close();
    },
  };
}

async function probe(how: { namespaces: boolean; threads: boolean }) {
  const folder = await mkdtemp(join(tmpdir(), "countersign-sandbox-"));
  const around = await listenEverywhere(folder);
  const [secret, given, write] = ["secret.key", "given.pdf", "written"].map((name) => join(folder, name));
  try {
    await Promise.all([writeFile(secret!, "secret"), writeFile(given!, "%PDF-")]);
    const { port, udpPort, socket } = around;
    const read = [given, secret, "/etc/passwd", "/proc/self/environ", projectPath("README.md")];
    const child = startSandboxed({
      program: projectPath("e2e", "attacks", "probe.ts"),
      args: [JSON.stringify({ read, write, port, udpPort, socket })],
      files: [given!],
      cpuSeconds: 20,
      niceness: 3,
      stdio: ["ignore", "pipe", "pipe"],
      ...how,
    });
    const [said, complained] = await Promise.all([text(child.stdout!), text(child.stderr!)]);
    expect(said, complained).not.toBe("");
    return { ...JSON.parse(said), visits: around.visits() };
  } finally {
    around.close();
    await rm(folder, { recursive: true, force: true });
  }
}

const denied = "ERR_ACCESS_DENIED";
const gone = "This program has no network.";

for (const namespaces of [true, false]) {
  for (const threads of [false, true]) {
    const how = `${namespaces ? "with" : "without"} namespaces, ${threads ? "with" : "without"} threads`;
    test(`a sandbox process reads only its file, writes nothing, starts no program and has no network: ${how}`, async () => {
      test.skip(namespaces && !hasNamespaces(), "this system has none, or forbids them");
      const found = await probe({ namespaces, threads });
      expect(found.files).toEqual(["reached", denied, denied, denied, denied]);
      expect([found.written, found.program, found.binding]).toEqual([denied, denied, denied]);
      const { tcp, unix, http, fetch, udp, name } = found;
      expect({ tcp, unix, http, fetch, udp, name }).toEqual({
        ...{ tcp: gone, unix: gone, http: gone, fetch: gone, udp: gone, name: gone },
      });
      // A thread that starts without the options of its process.
      expect(found.thread).toBe(threads ? gone : denied);
      expect(found.visits).toBe(0);
      // Only variables that a shell sets by itself, and none of this process.
      expect(found.environment.filter((name: string) => !/^(PWD|OLDPWD|SHLVL|_)$/.test(name))).toEqual([
        "NODE_ENV",
      ]);
    });
  }
}

test("where the system has namespaces, a sandbox process sees no network interface at all", async () => {
  test.skip(!hasNamespaces(), "this system has none, or forbids them");
  const child = startSandboxed({
    program: projectPath("e2e", "attacks", "interfaces.ts"),
    cpuSeconds: 20,
    niceness: 3,
    stdio: ["ignore", "pipe", "inherit"],
  });
  expect(await text(child.stdout!)).toBe("[]");
});

test("the preview renderer loads no native library once it has opened a file", async () => {
  const folder = await mkdtemp(join(tmpdir(), "countersign-library-"));
  try {
    const path = join(folder, "given.pdf");
    await writeFile(path, simplePdf());
    const child = startSandboxed({
      program: projectPath("e2e", "attacks", "library.ts"),
      args: [path],
      files: [path],
      addons: true,
      cpuSeconds: 20,
      niceness: 3,
      stdio: ["ignore", "pipe", "inherit"],
    });
    expect(JSON.parse(await text(child.stdout!))).toEqual({
      width: 1000,
      loaded: "This program loads no other library.",
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test("a DATA_DIR inside a folder that sandbox processes can read is refused", async () => {
  const folder = await mkdtemp(join(tmpdir(), "countersign-readable-"));
  try {
    const inside = projectPath("node_modules", ".data");
    const link = join(folder, "link");
    await mkdir(join(folder, "own"));
    await symlink(projectPath("lib"), link);
    for (const dataDir of [
      inside,
      projectPath("lib"),
      join(link, "data"),
      projectPath("lib", "..", "lib", "x"),
    ]) {
      expect(() => refuseReadable(dataDir), dataDir).toThrow(/^DATA_DIR: must not be inside/);
    }
    for (const dataDir of [
      join(folder, "own"),
      projectPath(".data"),
      projectPath("library"),
      projectPath(),
    ]) {
      expect(() => refuseReadable(dataDir), dataDir).not.toThrow();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
