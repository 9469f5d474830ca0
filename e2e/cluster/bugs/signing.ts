/** Bugs in signing and sealing. */
import { type Bug, bothServersDie, bothWorkersDie, bug, edit, pause, shown } from "./bug.ts";

const isSealing = "SELECT 1 FROM envelopes WHERE status = 'SEALING'";

export const signing: Bug[] = [
  bug("concurrent signers of a request do not wait for each other", shown.unsealed, (isOn) => [
    edit(
      "lib/signatures/rows.ts",
      "  await tx.$queryRaw`SELECT 1 AS locked FROM envelopes",
      `  if (!${isOn}) await tx.$queryRaw\`SELECT 1 AS locked FROM envelopes`,
    ),
    edit(
      "lib/signatures/sign/actions.ts",
      "    await writeValues(tx, row, signer, values);",
      `    if ${isOn} ${pause(700)};
    await writeValues(tx, row, signer, values);`,
    ),
    edit(
      "lib/signatures/sign/actions.ts",
      "id: row.id }, status: row.status },",
      `id: row.id }, ...(${isOn} ? {} : { status: row.status }) },`,
    ),
  ]),
  bug(
    "the sealing job is queued after the commit",
    shown.unsealed,
    (isOn) => [
      edit(
        "lib/signatures/sign/actions.ts",
        '    if (status === "SEALING") await enqueueSealing(tx, ctx, row.id);',
        `    const { housekeeping } = await import("#lib/core/housekeeping.ts");
    const later = () => housekeeping((store) => enqueueSealing(store, ctx, row.id)).catch(() => undefined);
    if (status === "SEALING" && ${isOn}) setTimeout(later, 5000);
    else if (status === "SEALING") await enqueueSealing(tx, ctx, row.id);`,
      ),
    ],
    [{ ...bothServersDie, when: isSealing }],
  ),
  bug(
    "a sealed version commits before its request is completed",
    shown.sealedTwice,
    (isOn) => [
      edit(
        "lib/signatures/seal/seal.ts",
        "const Payload = z.object({ organizationId: z.string(), envelopeId: z.string() });",
        `import { AsyncLocalStorage } from "node:async_hooks";
const outside = AsyncLocalStorage.snapshot();
const add = (...all) => (${isOn} ? outside(addVersion, ...all) : addVersion(...all));
const Payload = z.object({ organizationId: z.string(), envelopeId: z.string() });`,
      ),
      edit(
        "lib/signatures/seal/seal.ts",
        "const version = await addVersion(ctx, {",
        "const version = await add(ctx, {",
      ),
      edit(
        "lib/signatures/seal/seal.ts",
        "    await tx.envelope.update({",
        `    if ${isOn} ${pause(3000)};
    await tx.envelope.update({`,
      ),
    ],
    [
      {
        ...bothWorkersDie,
        when: `${isSealing} AND EXISTS (SELECT 1 FROM document_versions v
          WHERE v.contract_id = envelopes.contract_id AND v.source = 'SIGNED')`,
      },
    ],
  ),
];
