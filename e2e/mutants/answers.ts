/** Slips around what is answered: from a cache, again, or to whoever has read something older. */
import type { Mutant } from "./mutant.ts";

const days = "e2e/api/days.spec.ts";
const conformance = "e2e/api/conformance.spec.ts";
const stale = "refuses a stale If-Match with 412 and changes nothing";

export const answers: Mutant[] = [
  {
    slip: "a cached answer outlives the day that it is true for",
    edits: [
      {
        file: "lib/http/response-cache.ts",
        // biome-ignore lint/suspicious/noTemplateCurlyInString: it is what stands there.
        find: "`${ctx.organizationId} ${ctx.seq} ${day} ${question}`",
        // biome-ignore lint/suspicious/noTemplateCurlyInString: as above.
        replace: "`${ctx.organizationId} ${ctx.seq} ${day * 0} ${question}`",
      },
    ],
    caughtBy: {
      file: days,
      title: "an obligation that becomes overdue at midnight is shown as overdue, even without a write",
    },
  },
  {
    slip: "a cached answer outlives a change of its workspace",
    edits: [
      {
        file: "lib/http/response-cache.ts",
        // biome-ignore lint/suspicious/noTemplateCurlyInString: as above.
        find: "`${ctx.organizationId} ${ctx.seq} ${day} ${question}`",
        // biome-ignore lint/suspicious/noTemplateCurlyInString: as above.
        replace: "`${ctx.organizationId} ${day} ${question}`",
      },
    ],
    caughtBy: {
      file: "e2e/api/requests.spec.ts",
      title: "a cached response is never older than the workspace's latest change",
    },
  },
  {
    slip: "idempotent answers are kept for 24 minutes",
    edits: [
      {
        file: "lib/http/idempotency.ts",
        find: "const retentionMs = 24 * 60 * 60 * 1000;",
        replace: "const retentionMs = 24 * 60 * 1000;",
      },
    ],
    caughtBy: {
      file: days,
      title: "an Idempotency-Key replays its response for 24 hours and no longer",
    },
  },
  {
    slip: "If-Match is ignored where an obligation is changed",
    edits: [
      {
        file: "lib/obligations/obligations.ts",
        find: "    await expectUnchanged(ctx, ObligationAnswer, () => ({ obligation: obligationFrom(before, ctx.now) }));\n",
        replace: "",
      },
    ],
    caughtBy: { file: conformance, title: stale },
  },
  {
    slip: "If-Match is ignored where a webhook endpoint is changed",
    edits: [
      {
        file: "lib/webhooks/endpoints.ts",
        find: "    await expectUnchanged(ctx, EndpointAnswer, () => ({ endpoint: endpointFrom(before) }));\n",
        replace: "",
      },
    ],
    caughtBy: { file: conformance, title: stale },
  },
  {
    slip: "the whole audit feed ends before its oldest event",
    edits: [
      {
        file: "lib/audit/feed.ts",
        find: "{ length: Math.min(count, before - 1) }",
        replace: "{ length: Math.max(0, Math.min(count, before - 2)) }",
      },
    ],
    caughtBy: {
      file: "e2e/api/audit.spec.ts",
      title: "the audit log can be paged to the workspace's first event, at any page size",
    },
  },
  {
    slip: "a secret is told again when a request is repeated",
    edits: [
      {
        file: "lib/http/idempotency.ts",
        find: "body: withoutSecret(outcome.body), ",
        replace: "body: withoutSecret(null) ?? outcome.body, ",
      },
    ],
    caughtBy: {
      file: "e2e/api/webhook-endpoints.spec.ts",
      title: "a secret is returned once, and is in no replay, list, audit log or database row",
    },
  },
];
