/** Operator commands, for tests with a data folder of their own. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { node, root, strictly } from "./server.ts";

/** Runs an operator command where the environment says: its answer, parsed. */
export const admin = (environment: Record<string, string>, ...args: string[]) =>
  run(environment, join(root, "lib", "run", "admin.ts"), ...args);

/** A workspace with a key, made there. */
export const workspaceIn = (
  environment: Record<string, string>,
): Promise<Record<"organizationId" | "userId" | "key", string>> =>
  run(environment, join(root, "e2e", "new-workspace.ts"));

async function run(environment: Record<string, string>, ...program: string[]) {
  const env = { ...process.env, ...environment };
  const { stdout } = await promisify(execFile)(node, [...strictly, ...program], { env });
  return JSON.parse(stdout);
}
