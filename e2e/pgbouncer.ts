/** How tests run PgBouncer: in transaction mode, before one database. */
import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Debian puts it where only root looks. */
const program = "/usr/sbin/pgbouncer";

/** Says so once it listens. */
export const poolerIsUp = "process up";

/** The program with its settings, and whom it runs as: it refuses to run as root. `more` are lines of its settings. */
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
