/** Slips that let one workspace see or change what is another's, or a role what is not for it. */
import type { Mutant } from "./mutant.ts";

const untouched = {
  file: "e2e/api/tenancy.spec.ts",
  title: "another workspace's data changes no response of this one",
};
const scopesTable = {
  file: "lib/operations.test.ts",
  title: "each workspace operation requires exactly the scopes in the hand-written table",
};

export const tenancy: Mutant[] = [
  {
    slip: "jumping finds counterparties of every workspace",
    edits: [
      {
        file: "lib/overview/search/jump.ts",
        find: "FROM counterparties WHERE organization_id = $1 AND",
        replace: "FROM counterparties WHERE $1::text IS NOT NULL AND",
      },
    ],
    caughtBy: untouched,
  },
  {
    slip: "jumping finds contracts of every workspace",
    edits: [
      {
        file: "lib/overview/search/contracts.ts",
        find: '"c.organization_id = $1 AND NOT c.archived AND lower',
        replace: '"$1::text IS NOT NULL AND NOT c.archived AND lower',
      },
      {
        file: "lib/overview/search/contracts.ts",
        find: '"c.organization_id = $1 AND c.id = ANY',
        replace: '"$1::text IS NOT NULL AND c.id = ANY',
      },
    ],
    caughtBy: untouched,
  },
  {
    slip: "Home counts the terms of every workspace that end in a week",
    edits: [
      {
        file: "lib/overview/analytics/counts.ts",
        find: "FROM contract_day_counts_now WHERE organization_id = $1 AND",
        replace: "FROM contract_day_counts_now WHERE $1::text IS NOT NULL AND",
      },
    ],
    caughtBy: untouched,
  },
  {
    slip: "Home adds up the values of every workspace",
    edits: [
      {
        file: "lib/overview/analytics/counts.ts",
        find: "FROM contract_counts_now WHERE organization_id = $1 AND NOT archived\n",
        replace: "FROM contract_counts_now WHERE $1::text IS NOT NULL AND NOT archived\n",
      },
    ],
    caughtBy: untouched,
  },
  {
    slip: "whoever may read contracts may move many of them",
    edits: [
      {
        file: "lib/contracts/operations.ts",
        find: 'scopes: ["contracts:write"],\n    input: ManyMoves,',
        replace: 'scopes: ["contracts:read"],\n    input: ManyMoves,',
      },
    ],
    caughtBy: scopesTable,
  },
  {
    slip: "whoever may see the members may change the workspace's settings",
    edits: [
      {
        file: "lib/people/members/operations.ts",
        find: 'scopes: ["workspace:write"],',
        replace: 'scopes: ["members:read"],',
      },
    ],
    caughtBy: scopesTable,
  },
];
