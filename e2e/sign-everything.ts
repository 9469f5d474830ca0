/**
 * `node e2e/sign-everything.ts ORGANIZATION OWNER COUNT`: makes that many requests in the database of the
 * environment and has everybody sign them. Prints their ids; what is left to do is the sealing job's.
 */
import { systemContext } from "#lib/context.ts";
import { createContract } from "#lib/contracts/contracts.ts";
import { disconnect } from "#lib/db.ts";
import { sent, signerAt } from "./signing.ts";

const [organizationId = "", ownerId = "", count = "1"] = process.argv.slice(2);
const ctx = systemContext(organizationId, "test");
const workspace = {
  ...{ organizationId, ownerId, ctx },
  contract: () => createContract(ctx, { title: "Agreement", type: "NDA", ourRole: "VENDOR", ownerId }),
};
const ids: string[] = [];
for (let index = 0; index < Number(count); index++) {
  const envelope = await sent(workspace, [{ name: "Ann" }]);
  await (await signerAt(workspace, envelope)).sign();
  ids.push(envelope.id);
}
await disconnect();
console.log(JSON.stringify(ids));
