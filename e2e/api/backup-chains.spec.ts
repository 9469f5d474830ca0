/** The histories of signature requests in a backup; some of them outlive their request. */
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { to } from "pg-copy-streams";
import { directDatabaseUrl } from "#lib/core/env.ts";
import { brokenChains, rowOrder } from "#lib/run/backup/chains.ts";
import { placeAt, rowsFolder } from "#lib/run/backup/place.ts";
import { tablesOf } from "#lib/run/backup/tables.ts";
import { withClient } from "#prisma/client.ts";
import { expect, test } from "../fixtures.ts";
import { inFolder } from "../sealed.ts";
import { asMember, draft, memberOf, sent } from "../signing.ts";

/** Returns what is broken in a workspace's rows, as a backup has them; leaves out the row of the request `without`. */
function brokenIn(organizationId: string, without = ""): Promise<string[]> {
  return inFolder(async (folder) => {
    const place = await placeAt(folder);
    const copied = await withClient(directDatabaseUrl()!, "countersign test", async (client) => {
      await client.query("SET TimeZone = 'UTC'; SET DateStyle = 'ISO'; SET bytea_output = 'hex'");
      const tables = [];
      for (const { name, columns } of await tablesOf(client)) {
        const order = rowOrder[name];
        if (!order) continue;
        const kept = name === "public.envelopes" ? `AND id <> '${without}'` : "";
        const rows = client.query(
          to(`COPY (SELECT ${columns.join(", ")} FROM ${name}
            WHERE organization_id = '${organizationId}' ${kept} ORDER BY ${order.join(", ")}) TO STDOUT`),
        );
        const packed = createGzip();
        const [stored] = await Promise.all([place.write(rowsFolder, packed), pipeline(rows, packed)]);
        tables.push({ name, columns, ...stored, rows: rows.rowCount });
      }
      return tables;
    });
    return brokenChains(place, copied);
  });
}

test("backup verification accepts histories of discarded drafts, and reports a sent request that is missing", async ({
  workspace,
}) => {
  const { organizationId } = workspace;
  const [first, kept, last] = [
    await draft(workspace, [{ name: "Ann" }]),
    await sent(workspace, [{ name: "Ben" }]),
    await draft(workspace, [{ name: "Cleo" }]),
  ];
  expect(await brokenIn(organizationId)).toEqual([]);
  for (const { id } of [first, last]) {
    await asMember(memberOf(workspace), "discardDraft", { envelopeId: id });
  }
  expect(await brokenIn(organizationId)).toEqual([]);
  expect(await brokenIn(organizationId, kept.id)).toEqual([
    `The history of the signature request ${kept.id}: It was sent, and the request is gone.`,
  ]);
});
