import { execFile, type SpawnOptions } from "node:child_process";
import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { chown, lchown, readdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

/** PostgreSQL refuses to run as root, so root starts it as an existing ordinary user. */
export type Account = { name: string; uid: number; gid: number };

export type Command = { file: string; args: string[]; options: SpawnOptions };

const run = promisify(execFile);

/** Numbers of Linux capabilities. */
const dacOverride = 1;
const dacReadSearch = 2;
const switchUser = [0, 6, 7];
const ownStatus = "/proc/self/status";

/** The account to run PostgreSQL as; undefined if this process can run it as its own user. */
export async function findAccount(cluster: string): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  if (!switchUser.every(isHeld)) {
    throw new Error(
      "PostgreSQL does not run as root, and this root may not become another user. Run Countersign as an ordinary user.",
    );
  }
  const owner = await stat(cluster).catch(() => undefined);
  if (owner && owner.uid !== 0) return { name: `uid ${owner.uid}`, uid: owner.uid, gid: owner.gid };
  for (const name of ["postgres", "nobody"]) {
    try {
      const [uid, gid] = await Promise.all(["-u", "-g"].map((flag) => run("id", [flag, name])));
      return { name, uid: Number(uid!.stdout), gid: Number(gid!.stdout) };
    } catch {
      // This user does not exist: try the next one.
    }
  }
  throw new Error(
    "PostgreSQL does not run as root, and neither the user postgres nor nobody exists. Run Countersign as an ordinary user.",
  );
}

/** A cluster that root restored from a backup belongs to root, but PostgreSQL must own its files. */
export async function chownTo(account: Account, folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await chownTo(account, path);
    else await lchown(path, account.uid, account.gid);
  }
  await chown(folder, account.uid, account.gid);
}

/** The command that runs a PostgreSQL program on a folder as the account, even below folders closed to the account. */
export function commandFor(
  account: Account | undefined,
  binary: string,
  args: string[],
  folder: string,
): Command {
  // The server inherits none of our environment: a PGDATA or LC_MESSAGES would change its behavior.
  const env: Record<string, string> = { PATH: "/usr/local/bin:/usr/bin:/bin", LC_ALL: "C" };
  // Next's types require every environment to contain NODE_ENV.
  const options: SpawnOptions = { cwd: "/", env: env as NodeJS.ProcessEnv };
  if (!account) return { file: binary, args, options };
  const { uid, gid } = account;
  const closed = [binary, folder].flatMap((path) => closedParents(path, account))[0];
  if (!closed) return { file: binary, args, options: { ...options, uid, gid } };
  return { file: setpriv(closed, account), args: [...privileges(account), "--", binary, ...args], options };
}

function closedParents(path: string, account: Account): string[] {
  const closed: string[] = [];
  for (let folder = dirname(realpathSync(path)); ; folder = dirname(folder)) {
    const { mode, uid, gid } = statSync(folder);
    const search = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001;
    if (!(mode & search)) closed.push(folder);
    if (folder === dirname(folder)) return closed;
  }
}

function setpriv(closed: string, account: Account): string {
  const file = ["/usr/bin/setpriv", "/bin/setpriv"].find(existsSync);
  if (file && searchCapability()) return file;
  throw new Error(
    `PostgreSQL does not run as root, and the user ${account.name} cannot enter ${closed}. ` +
      `Run Countersign as an ordinary user, install setpriv (util-linux), or allow it with: chmod o+x ${closed}`,
  );
}

/**
 * The user keeps one capability: to pass through folders closed to it. no_setuid_fixup is needed because access(2),
 * with which PostgreSQL looks for its own programs, would otherwise ignore capabilities.
 */
function privileges(account: Account): string[] {
  const capability = `+${searchCapability()}`;
  return [
    ...["--reuid", String(account.uid), "--regid", String(account.gid), "--clear-groups"],
    ...["--inh-caps", capability, "--ambient-caps", capability, "--securebits", "+no_setuid_fixup"],
  ];
}

/** The narrower of the two capabilities that this process holds: containers usually grant only the wider one. */
function searchCapability(): "dac_read_search" | "dac_override" | undefined {
  if (!existsSync(ownStatus)) return undefined;
  if (isHeld(dacReadSearch)) return "dac_read_search";
  return isHeld(dacOverride) ? "dac_override" : undefined;
}

function isHeld(capability: number): boolean {
  if (!existsSync(ownStatus)) return true;
  const held = /^CapEff:\s*(\w+)/m.exec(readFileSync(ownStatus, "utf8"))?.[1];
  return held === undefined || (BigInt(`0x${held}`) & (1n << BigInt(capability))) !== 0n;
}
