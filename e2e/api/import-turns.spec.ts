import { importContracts } from "#lib/contracts/import/import.ts";
import { expect, test } from "../fixtures.ts";

test("an import writes at most 200 contracts in one go, and other requests are served in between", async ({
  workspace,
}) => {
  const { ctx, ownerId } = workspace;
  const lines = Array.from({ length: 450 }, (_, at) => `Contract ${at},NDA,VENDOR,${ownerId},Party ${at}`);
  const csv = Buffer.from(["title,type,ourRole,ownerId,counterpartyName", ...lines].join("\n"));
  const steps: number[] = [];
  const onProgress = (what: "checked" | "made", done: number) => {
    if (what === "made") steps.push(done);
  };
  const { contracts } = await importContracts(ctx, { csv, folder: null, dryRun: false, onProgress });
  expect({ contracts, steps }).toEqual({ contracts: 450, steps: [200, 400, 450] });
});
