/** Bugs in what reports changes: webhooks, and the audit log. */
import { type Bug, bothServersDie, bothWorkersDie, bug, edit, shown } from "./bug.ts";

const isClaimed = "SELECT 1 FROM deliveries WHERE claimed_by IS NOT NULL";

const events = `      if (current.happenings.length > 0) await listening().write(tx, current.happenings);`;

export const notices: Bug[] = [
  bug("a delivery is marked as sent before its response arrives", shown.noWebhook, (isOn) => [
    edit(
      "lib/webhooks/dispatch.ts",
      "      const result = await attempted;",
      `      const received = { at: new Date(), statusCode: 204, durationMs: 0, error: null, responseBody: null };
      const result = ${isOn} ? { ...received, retryAfterSeconds: 0 } : await attempted;`,
    ),
  ]),
  bug(
    "a webhook event is written after the commit of its change",
    shown.noWebhook,
    (isOn) => [
      edit(
        "lib/core/change.ts",
        events,
        `      const later = () => listening().write(database().prisma, current.happenings).catch(() => undefined);
      if (${isOn} && current.happenings.length > 0) setTimeout(later, 1000);
      else if (current.happenings.length > 0) await listening().write(tx, current.happenings);`,
      ),
    ],
    [bothServersDie],
  ),
  bug(
    "the deliveries of a killed worker are not released",
    shown.deliveryInHand,
    (isOn) => [
      edit(
        "lib/jobs/presence.ts",
        "for (const statement of release) await client.query(statement);",
        `for (const statement of ${isOn} ? release.slice(1) : release) await client.query(statement);`,
      ),
    ],
    [{ ...bothWorkersDie, when: isClaimed }],
  ),
];

export const log: Bug[] = [
  bug("a change without audit events uses up a sequence number", shown.gap, (isOn) => [
    edit(
      "lib/core/change.ts",
      "      await atTheEnd?.(tx);",
      `      if (${isOn} && current.history.length === 0)
        await tx.$executeRaw\`UPDATE workspace_heads SET seq = seq + 1 WHERE organization_id = \${ctx.organizationId}\`;
      await atTheEnd?.(tx);`,
    ),
  ]),
  bug("the head of the audit log is read before it is locked", shown.brokenChain, (isOn) => [
    edit(
      "lib/run/database.ts",
      "  if ((await pendingMigrations(url)).length > 0) await migrate(url, say);",
      `  if ((await pendingMigrations(url)).length > 0) await migrate(url, say);
  if ${isOn} await withClient(url, "countersign", (client) => client.query(\`DO $do$ BEGIN
    PERFORM pg_advisory_xact_lock(1);
    EXECUTE replace(replace(pg_get_functiondef('audit_events_chain'::regproc), 'FOR UPDATE', ''),
      'NEW.seq := head.seq + 1;', 'UPDATE workspace_heads SET seq = seq + 1
        WHERE organization_id = NEW.organization_id RETURNING seq INTO NEW.seq;');
  END $do$\`));`,
    ),
  ]),
];
