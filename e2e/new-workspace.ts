/**
 * `node e2e/new-workspace.ts`: creates a workspace and a key for it in the environment's database, with one program
 * instead of two commands. Prints {organizationId, userId, key}.
 */
import "#lib/events/listen.ts";
import { systemContext } from "#lib/core/context.ts";
import { insertKey } from "#lib/keys/keys.ts";
import { createWorkspace } from "#lib/people/members/workspaces.ts";
import { withDatabase } from "#lib/run/with-database.ts";

const made = await withDatabase(async () => {
  const ids = await createWorkspace({
    name: "W",
    ownerEmail: "o@test.example",
    ownerName: "O",
    ownerPassword: "a long password",
  });
  const { key } = await insertKey(systemContext(ids.organizationId, "test"), {
    name: "Test",
    preset: "full_access",
  });
  return { ...ids, key };
});
console.log(JSON.stringify(made));
