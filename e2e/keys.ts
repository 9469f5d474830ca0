/** Keys with scopes that no preset has, for tests of single scopes. */
import { database } from "#lib/core/db.ts";
import type { Scope } from "#lib/core/scopes.ts";
import type { Workspace } from "./fixtures.ts";

export async function keyWith(workspace: Workspace, scopes: Scope[]): Promise<string> {
  const { id, key } = await workspace.mint("read_only");
  await database().prisma.apiKey.update({
    where: { organizationId_id: { organizationId: workspace.organizationId, id } },
    data: { scopes },
  });
  return key;
}
