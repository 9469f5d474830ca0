/** Workspace settings, for tests. */
import type { InputOf } from "#lib/doors/client.ts";
import { expect, type Workspace } from "./fixtures.ts";
import { signedIn } from "./members.ts";

/** Changes the workspace's settings, as its owner. */
export async function setWorkspace(
  workspace: Workspace,
  settings: InputOf<"workspace.patch">,
): Promise<void> {
  const owner = await signedIn(workspace, "owner");
  expect((await owner.call("workspace.patch", settings)).status).toBe(200);
}
