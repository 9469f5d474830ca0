/**
 * `node e2e/sign-everything.ts ORGANIZATION OWNER COUNT [OPEN]`: creates COUNT requests in the environment's database
 * and has everyone sign them, so that only the sealing job remains. Also creates OPEN requests that no one signs, due
 * in ten days. Prints {signed, open}, their ids.
 */

import "#lib/events/listen.ts";
import "./strict.ts";
import { createContract } from "#lib/contracts/create.ts";
import { systemContext } from "#lib/core/context.ts";
import { disconnect } from "#lib/core/db.ts";
import { sent, signerAt } from "./signing.ts";

const [organizationId = "", ownerId = "", count = "1", open = "0"] = process.argv.slice(2);
const ctx = systemContext(organizationId, "test");
const workspace = {
  ...{ organizationId, ownerId, ctx },
  contract: () => createContract(ctx, { title: "Agreement", type: "NDA", ourRole: "VENDOR", ownerId }),
};
const deadline = new Date(Date.now() + 10 * 24 * 60 * 60 * 1000).toISOString();
const ids: Record<"signed" | "open", string[]> = { signed: [], open: [] };
for (let index = 0; index < Number(count); index++) {
  const envelope = await sent(workspace, [{ name: "Ann" }]);
  await (await signerAt(workspace, envelope)).sign();
  ids.signed.push(envelope.id);
}
for (let index = 0; index < Number(open); index++) {
  ids.open.push((await sent(workspace, [{ name: "Ben" }], { deadline })).id);
}
await disconnect();
console.log(JSON.stringify(ids));
