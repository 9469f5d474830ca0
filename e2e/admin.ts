/** Operator commands, for tests whose data is not the run's. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { node, root, strictly } from "./server.ts";

/** Runs an operator command where the environment says: its answer, parsed. */
export async function admin(environment: Record<string, string>, ...args: string[]) {
  const { stdout } = await promisify(execFile)(
    node,
    [...strictly, join(root, "lib", "run", "admin.ts"), ...args],
    {
      env: { ...process.env, ...environment },
    },
  );
  return JSON.parse(stdout);
}

export async function workspaceIn(environment: Record<string, string>) {
  const { organizationId, userId } = await admin(
    environment,
    ..."create-workspace --name W --owner-email o@test.example --owner-name O --owner-password".split(" "),
    "a long password",
  );
  const { key } = await admin(
    environment,
    "create-key",
    "--organization",
    organizationId,
    "--preset",
    "full_access",
  );
  return { organizationId, userId, key } as Record<"organizationId" | "userId" | "key", string>;
}
