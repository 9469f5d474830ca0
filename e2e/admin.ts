/** Operator commands, for tests with their own data folder. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { node, root, strictly } from "./server.ts";

/** Runs an operator command in this environment and returns its parsed output. */
export const admin = (environment: Record<string, string>, ...args: string[]) =>
  run(environment, join(root, "lib", "run", "admin.ts"), ...args);

/** Creates a workspace with a key in this environment. */
export const workspaceIn = (
  environment: Record<string, string>,
): Promise<Record<"organizationId" | "userId" | "key", string>> =>
  run(environment, join(root, "e2e", "new-workspace.ts"));

async function run(environment: Record<string, string>, ...program: string[]) {
  const env = { ...process.env, ...environment };
  const { stdout } = await promisify(execFile)(node, [...strictly, ...program], { env });
  return JSON.parse(stdout);
}
