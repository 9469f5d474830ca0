/** Runs PgBouncer for tests: in transaction mode, in front of one database. */
import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Debian installs it in a folder that is only on root's path. */
const program = "/usr/sbin/pgbouncer";

/** PgBouncer prints this once it listens. */
export const poolerIsUp = "process up";

/** Returns the command, and the user to run it as, because it refuses to run as root. `more` adds settings. */
export async function pgbouncer(folder: string, port: number, directUrl: string, more: string[]) {
  const settings = join(folder, "pgbouncer.ini");
  const { hostname, port: behind, username, password } = new URL(directUrl);
  await writeFile(
    settings,
    `[databases]
countersign = host=${hostname} port=${behind} user=${username} password=${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
max_client_conn = 200
${more.join("\n")}
`,
  );
  await chmod(folder, 0o755);
  return {
    command: [program, settings] as [string, string],
    owner: process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {},
  };
}
