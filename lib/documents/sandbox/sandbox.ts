/**
 * Starts our programs that read untrusted files, with minimal rights: none of the server's settings, no files but
 * their own code and those named, no writing, no other programs, no network, and a limit on processor time that holds
 * even after this process is gone.
 */
import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from "node:child_process";
import { realpathSync } from "node:fs";
import { setPriority } from "node:os";
import { dirname, join, relative, resolve, sep } from "node:path";
import { killOnExit } from "#lib/core/children.ts";
import { BadSetting } from "#lib/core/env.ts";
import { projectPath } from "#lib/core/root.ts";

export interface SandboxOptions {
  program: string;
  args?: string[];
  /** What it may read besides its own code. */
  files?: string[];
  /** Flags for Node itself. */
  flags?: string[];
  /** May create threads. */
  threads?: boolean;
  /** May load native libraries: it gives up that right before it opens a file. */
  addons?: boolean;
  /** Processor time, over its whole life. */
  cpuSeconds: number | "unlimited";
  niceness: number;
  stdio: SpawnOptions["stdio"];
  serialization?: SpawnOptions["serialization"];
  /** Whether to remove the network by namespaces; by default, if the system supports it. */
  namespaces?: boolean;
}

/** Folders that hold only code: no data may ever be in them. */
const codeFolders = () => [projectPath("lib"), projectPath("node_modules")];

/** Throws if the programs that read untrusted files could read the data folder. */
export function refuseReadable(dataDir: string): void {
  const folder = realPath(resolve(dataDir));
  for (const code of codeFolders().map(realPath)) {
    const way = relative(code, folder);
    if (way === ".." || way.startsWith(`..${sep}`)) continue;
    throw new BadSetting(
      `DATA_DIR: must not be inside ${code}, which the programs that read uploaded files can read. Choose another folder.`,
    );
  }
}

/** Resolves a path, even if its last parts do not exist yet. */
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

/** Limits set by the shell hold even without this process: processor time, and no core dumps. */
const limits = 'ulimit -t "$1"; ulimit -c 0; shift; exec "$@"';

/** Throws if the system cannot start another process. */
export function startSandboxed(what: SandboxOptions): ChildProcess {
  const { program, args = [], files = [], flags = [], threads = false, addons = false } = what;
  const { stdio, serialization, namespaces = hasNamespaces() } = what;
  const child = spawn(
    "/bin/sh",
    [
      ...["-c", limits, "sh", String(what.cpuSeconds)],
      ...(namespaces ? [...unshareCommand, "--"] : []),
      process.execPath,
      ...flags,
      "--permission",
      ...[
        ...codeFolders().map((folder) => join(folder, "*")),
        projectPath("package.json"),
        program,
        ...files,
      ].map((path) => `--allow-fs-read=${path}`),
      ...(threads ? ["--allow-worker"] : []),
      ...(addons ? ["--allow-addons"] : []),
      "--disable-warning=SecurityWarning",
      "--require",
      projectPath("lib", "documents", "sandbox", "no-network.ts"),
      program,
      ...args,
    ],
    // A folder that it may read: LibreOffice returns to the folder it started in.
    {
      cwd: projectPath("lib"),
      env: { NODE_ENV: "production" },
      // In a session of its own: Ctrl-C in the terminal is for the server, which lets running work finish.
      detached: true,
      stdio,
      ...(serialization ? { serialization } : {}),
    },
  );
  killOnExit(child);
  if (child.pid === undefined)
    throw new Error("The system starts no more processes, or opens no more files.");
  try {
    setPriority(child.pid, what.niceness);
  } catch {
    // It has exited already.
  }
  return child;
}

/**
 * A network namespace of its own that leads nowhere, for the whole process. Other programs' sockets are files to it.
 */
const unshareCommand = ["unshare", "--map-root-user", "--net"];

let areThere: boolean | undefined;

/** Linux has them, unless its settings or a container's forbid them. */
export function hasNamespaces(): boolean {
  const [command, ...args] = unshareCommand;
  areThere ??= spawnSync(command!, [...args, "--", "true"], { stdio: "ignore" }).status === 0;
  return areThere;
}
