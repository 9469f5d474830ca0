/** The number of contracts that lists show is not counted when it is read: it moves with the rows, whoever writes them. */
import { importContracts } from "#lib/contracts/import/import.ts";
import { change } from "#lib/core/change.ts";
import { database, type Transaction } from "#lib/core/db.ts";
import { newId } from "#lib/core/ids.ts";
import { expect, test, type Workspace } from "../fixtures.ts";

async function totals({ organizationId }: Workspace) {
  const [row] = await database().prisma.$queryRaw<{ counted: number; total: number; pending: number }[]>`
    SELECT (SELECT count(*)::int FROM contracts WHERE organization_id = ${organizationId}) AS counted,
      (SELECT contract_count FROM workspace_heads WHERE organization_id = ${organizationId}) AS total,
      (SELECT count(*)::int FROM contract_count_changes WHERE organization_id = ${organizationId}) AS pending`;
  return row;
}

const exactly = (count: number) => ({ counted: count, total: count, pending: 0 });

/** As someone who has a shell of the database. */
const insert = (tx: Transaction, { organizationId, ownerId }: Workspace, count: number) => tx.$executeRaw`
  INSERT INTO contracts (organization_id, id, title, type, our_role, owner_id, updated_at)
  SELECT ${organizationId}, ${newId("contract")} || n, 'Raw ' || n, 'NDA', 'VENDOR', ${ownerId}, now()
  FROM generate_series(1, ${count}::int) AS n`;

test("the total of contracts is exact after creates, imports and deletes, rollbacks, and rows of raw SQL", async ({
  workspace,
  other,
}) => {
  const { ctx, organizationId, ownerId } = workspace;
  const { prisma } = database();
  await Promise.all(Array.from({ length: 25 }, () => workspace.contract()));
  expect(await totals(workspace), "created").toEqual(exactly(25));

  const [owner] = (await workspace.api("GET /members")).body.data;
  const lines = Array.from({ length: 12 }, (_, n) => `Imported ${n},NDA,VENDOR,${owner.email}`);
  const csv = Buffer.from(["title,type,ourRole,ownerEmail", ...lines].join("\n"));
  expect(await importContracts(ctx, { csv, folder: null, dryRun: false })).toMatchObject({ contracts: 12 });
  expect(await totals(workspace), "imported").toEqual(exactly(37));

  const undone = change(ctx, async (tx) => {
    await insert(tx, workspace, 4);
    await tx.$executeRaw`DELETE FROM contracts WHERE organization_id = ${organizationId} AND title LIKE 'Imported %'`;
    throw new Error("undone");
  });
  await expect(undone).rejects.toThrow("undone");
  expect(await totals(workspace), "rolled back").toEqual(exactly(37));

  await prisma.$transaction(async (tx) => {
    await insert(tx, workspace, 5);
    await insert(tx, other, 2);
    await tx.$executeRaw`SAVEPOINT here`;
    await insert(tx, workspace, 3);
    await tx.$executeRaw`ROLLBACK TO SAVEPOINT here`;
    await tx.$executeRaw`DELETE FROM contracts WHERE organization_id = ${organizationId} AND title LIKE 'Imported %'`;
  });
  expect(await totals(workspace), "several statements").toEqual(exactly(30));
  expect(await totals(other), "of another workspace").toEqual(exactly(2));

  const row = { ownerId, type: "NDA", ourRole: "VENDOR", updatedAt: new Date(), title: "Across" };
  await prisma.contract.createMany({
    data: [workspace, other, workspace].map((of) => ({
      ...row,
      ...{ organizationId: of.organizationId, ownerId: of.ownerId, id: newId("contract") },
    })),
  });
  expect([await totals(workspace), await totals(other)]).toEqual([exactly(32), exactly(3)]);
  expect((await workspace.api("GET /contracts?pageSize=1")).body.total).toBe(32);
});

test("a history that says that a contract was created counts nothing without the contract", async ({
  workspace,
}) => {
  await database().prisma.$executeRaw`INSERT INTO audit_events (organization_id, id, action, payload)
    VALUES (${workspace.organizationId}, ${newId("auditEvent")}, 'CONTRACT_CREATED', '{}')`;
  expect(await totals(workspace)).toEqual(exactly(0));
});

test("who has inserted contracts and not committed yet keeps no other change of the workspace waiting", async ({
  workspace,
}) => {
  await database().prisma.$transaction(async (tx) => {
    await insert(tx, workspace, 3);
    await workspace.contract();
    expect((await workspace.api("POST /counterparties", { body: { name: "Meanwhile" } })).status).toBe(201);
    expect(await totals(workspace)).toEqual(exactly(1));
  });
  expect(await totals(workspace)).toEqual(exactly(4));
});
