/** How assistants are connected: the authorization server, as programs and people meet it. */
import { findGrant } from "#lib/assistants/tokens.ts";
import { connected } from "../assistants.ts";
import { expect, test } from "../fixtures.ts";

test("a program that a person allows gets a token for what they allowed, in the workspace they chose", async ({
  workspace,
}) => {
  const { access, scope, clientId, person } = await connected(workspace, [
    "contracts:read",
    "obligations:read",
  ]);
  expect(scope).toBe("contracts:read obligations:read");
  expect(await findGrant(access)).toMatchObject({
    client: { id: clientId, name: "Claude" },
    user: { id: person.userId, email: person.email },
    role: "member",
    organizationId: workspace.organizationId,
    scopes: ["contracts:read", "obligations:read"],
    policy: "read_only",
  });
});
