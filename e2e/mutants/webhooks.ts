/** Slips that send a webhook twice, write what is not theirs, or let it reach where it must not. */
import type { Mutant } from "./mutant.ts";

export const webhooks: Mutant[] = [
  {
    slip: "recovering repeats what is on its way",
    edits: [
      {
        file: "lib/webhooks/deliveries.ts",
        find: "HAVING bool_and(d.status = 'FAILED')",
        replace: "HAVING bool_and(d.status <> 'SUCCEEDED')",
      },
    ],
    caughtBy: {
      file: "e2e/api/webhook-deliveries.spec.ts",
      title: "recovery does not resend an event that another delivery is still retrying",
    },
  },
  {
    slip: "the outcome of a lost claim is written all the same",
    edits: [
      {
        file: "lib/webhooks/outcome.ts",
        find: "WHERE d.organization_id = $2 AND d.id = o.id AND d.claimed_by = $1\n",
        replace: "WHERE d.organization_id = $2 AND d.id = o.id AND $1::text IS NOT NULL\n",
      },
    ],
    caughtBy: {
      file: "e2e/api/webhook-claims.spec.ts",
      title: "a worker that has lost its claim on a delivery cannot write its outcome",
    },
  },
];
