/**
 * Starts the programs of ours that read what strangers sent, where they can do least: none of the server's
 * settings, no file but their own code and those named, nothing to write, no other program, no network, a limit
 * of processor time that holds even when this process is gone.
 */
import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from "node:child_process";
import { realpathSync } from "node:fs";
import { setPriority } from "node:os";
import { dirname, join, relative, resolve, sep } from "node:path";
import { endWithThis } from "#lib/core/children.ts";
import { BadSetting } from "#lib/core/env.ts";
import { inProject } from "#lib/core/root.ts";

export interface Sandboxed {
  program: string;
  args?: string[];
  /** What it may read beside its own code. */
  files?: string[];
  /** Given to Node itself. */
  flags?: string[];
  /** May have threads. */
  threads?: boolean;
  /** May load libraries that are no JavaScript: it takes that right from itself before it opens a file. */
  addons?: boolean;
  /** Of processor time, in all of its life. */
  cpuSeconds: number | "unlimited";
  niceness: number;
  stdio: SpawnOptions["stdio"];
  serialization?: SpawnOptions["serialization"];
  /** Whether the system can take the network from it; by itself, what the system says of itself. */
  namespaces?: boolean;
}

/** Code, and nothing else: no data may ever lie in these. */
const readable = () => [inProject("lib"), inProject("node_modules")];

/** Refuses a data folder that the programs which read strangers' files could read. */
export function refuseReadable(dataDir: string): void {
  const folder = realPath(resolve(dataDir));
  for (const code of readable().map(realPath)) {
    const way = relative(code, folder);
    if (way === ".." || way.startsWith(`..${sep}`)) continue;
    throw new BadSetting(
      `DATA_DIR: must not be inside ${code}, which the programs that read uploaded files can read. Choose another folder.`,
    );
  }
}

/** Where a path leads, also when its last parts are not there yet. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path
      ? path
      : join(/* turbopackIgnore: true */ realPath(parent), relative(parent, path));
  }
}

/** The shell sets what outlives this process's watch: processor time, no dump of memory to the disk. */
const limits = 'ulimit -t "$1"; ulimit -c 0; shift; exec "$@"';

/** Throws where the system has no room for another process. */
export function startSandboxed(what: Sandboxed): ChildProcess {
  const { program, args = [], files = [], flags = [], threads = false, addons = false } = what;
  const { stdio, serialization, namespaces = hasNamespaces() } = what;
  const child = spawn(
    "/bin/sh",
    [
      ...["-c", limits, "sh", String(what.cpuSeconds)],
      ...(namespaces ? [...intoNothing, "--"] : []),
      process.execPath,
      ...flags,
      "--permission",
      ...[...readable().map((folder) => join(folder, "*")), inProject("package.json"), program, ...files].map(
        (path) => `--allow-fs-read=${path}`,
      ),
      ...(threads ? ["--allow-worker"] : []),
      ...(addons ? ["--allow-addons"] : []),
      "--disable-warning=SecurityWarning",
      "--require",
      inProject("lib", "documents", "sandbox", "no-network.ts"),
      program,
      ...args,
    ],
    // A folder that it may read: LibreOffice goes back to the one that it came from.
    {
      cwd: inProject("lib"),
      env: { NODE_ENV: "production" },
      // In a session of its own: Ctrl-C in the terminal is for the server, which lets what runs finish.
      detached: true,
      stdio,
      ...(serialization ? { serialization } : {}),
    },
  );
  endWithThis(child);
  if (child.pid === undefined)
    throw new Error("The system starts no more processes, or opens no more files.");
  try {
    setPriority(child.pid, what.niceness);
  } catch {
    // It has ended already.
  }
  return child;
}

/** A network of its own that leads nowhere, for the whole process. The sockets of other programs are files to it. */
const intoNothing = ["unshare", "--map-root-user", "--net"];

let areThere: boolean | undefined;

/** Linux has them, where neither its settings nor a container's forbid them. */
export function hasNamespaces(): boolean {
  const [command, ...args] = intoNothing;
  areThere ??= spawnSync(command!, [...args, "--", "true"], { stdio: "ignore" }).status === 0;
  return areThere;
}
