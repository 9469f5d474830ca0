/** Bugs in responding to requests: writes, reads, and repeated requests. */
import { type Bug, bothServersDie, bug, edit, pause, shown } from "./bug.ts";

const history = `      const writeHistory = await prepareHistory(tx, current.history);`;

export const writes: Bug[] = [
  bug(
    "a change is acknowledged before it commits",
    shown.lostChange,
    (isOn) => [
      edit(
        "lib/core/change.ts",
        "  const running = database().prisma.$transaction(",
        `  const early = Promise.withResolvers();
  const running = database().prisma.$transaction(`,
      ),
      edit(
        "lib/core/change.ts",
        history,
        // Only for value changes: those who sign in, send or sign read what was written at once.
        `      if (${isOn} && current.history.some(({ entry }) => entry.action === "CONTRACT_UPDATED")) {
        early.resolve(result);
        ${pause(1500)};
      }
${history}`,
      ),
      edit(
        "lib/core/change.ts",
        "  return running.catch((error) => {",
        `  return (${isOn} ? Promise.race([early.promise, running]) : running).catch((error) => {`,
      ),
    ],
    Array(4).fill(bothServersDie),
  ),
  bug(
    "an upload is acknowledged although its bytes were not stored",
    shown.lostVersion,
    (isOn) => [
      edit(
        "lib/storage/store.ts",
        "  await (await backend()).put({ organizationId, sha256 }, path, sizeBytes);",
        `  const storing = (await backend()).put({ organizationId, sha256 }, path, sizeBytes);
  await (${isOn} ? storing.catch(() => undefined) : storing);`,
      ),
      edit(
        "lib/storage/hold.ts",
        "  if (!(await (await backend()).find({ organizationId, sha256 }))) throw removed();",
        `  if (!${isOn} && !(await (await backend()).find({ organizationId, sha256 }))) throw removed();`,
      ),
    ],
    Array(4).fill({ fault: "kill -9 of the S3 server" }),
  ),
  bug("a change overwrites concurrent changes", shown.overwritten, (isOn) => [
    edit(
      "lib/contracts/statements.ts",
      "AND c.revision = $${next + 1}::int",
      `AND (c.revision = $\${next + 1}::int OR \${${isOn}})`,
    ),
  ]),
  bug("If-Match is ignored", shown.overwritten, (isOn) => [
    edit(
      "lib/core/serialize.ts",
      "if (ctx.ifMatch === null) return;",
      `if (ctx.ifMatch === null || ${isOn}) return;`,
    ),
  ]),
];

export const answers: Bug[] = [
  bug("a response is cached without the workspace's sequence number", shown.staleRead, (isOn) => [
    edit(
      "lib/http/response-cache.ts",
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it is what stands there.
      "`${ctx.organizationId} ${ctx.seq} ${day} ${question}`",
      `\`\${ctx.organizationId} \${${isOn} || ctx.seq} \${day} \${question}\``,
    ),
  ]),
  bug("each server has its own Idempotency-Keys", shown.createdTwice, (isOn) => [
    edit(
      "lib/http/idempotency.ts",
      "route: request.route, key: request.key };",
      `route: request.route, key: ${isOn} ? \`\${process.pid} \${request.key}\` : request.key };`,
    ),
  ]),
  bug("an Idempotency-Key is not locked", shown.creationMistaken, (isOn) => [
    edit("lib/http/idempotency.ts", "if (!row?.taken) {", `if (!row?.taken && !${isOn}) {`),
  ]),
  bug(
    "a database outage is reported as an internal error",
    shown.mistake,
    (isOn) => [
      edit(
        "lib/core/connections/outage.ts",
        "  for (const { codes, message, isOfFile, isOfStore } of layersOf(error)) {",
        `  for (const { codes, message, isOfFile, isOfStore } of ${isOn} ? [] : layersOf(error)) {`,
      ),
    ],
    Array(2).fill({ fault: "connections to PgBouncer are cut off" }),
  ),
];
