/** Slips that let one workspace see or change what is another's, or a role what is not for it. */
import type { Mutant } from "./mutant.ts";

const untouched = {
  file: "e2e/api/tenancy.spec.ts",
  title: "whatever another workspace has, every answer of this one stays as it was",
};
const scopesTable = {
  file: "lib/operations.test.ts",
  title: "each operation of a workspace asks for exactly the scopes that this table names",
};

export const tenancy: Mutant[] = [
  {
    slip: "jumping finds counterparties of every workspace",
    edits: [
      {
        file: "lib/overview/search/jump.ts",
        find: "FROM counterparties WHERE organization_id = $1 AND name ILIKE $2\n    ORDER",
        replace: "FROM counterparties WHERE $1::text IS NOT NULL AND name ILIKE $2\n    ORDER",
      },
    ],
    caughtBy: untouched,
  },
  {
    slip: "jumping finds contracts of every workspace",
    edits: [
      {
        file: "lib/overview/search/jump.ts",
        find: "WHERE c.organization_id = $1 AND (c.title",
        replace: "WHERE $1::text IS NOT NULL AND (c.title",
      },
    ],
    caughtBy: untouched,
  },
  {
    slip: "Home counts the terms of every workspace that end in a week",
    edits: [
      {
        file: "lib/overview/home/summary.ts",
        find: "FROM contracts WHERE organization_id = $1 AND status IN ('EXECUTED', 'ACTIVE')\n       AND expires_at BETWEEN $2::date AND $3::date\n     GROUP BY 1",
        replace:
          "FROM contracts WHERE $1::text IS NOT NULL AND status IN ('EXECUTED', 'ACTIVE')\n       AND expires_at BETWEEN $2::date AND $3::date\n     GROUP BY 1",
      },
    ],
    caughtBy: untouched,
  },
  {
    slip: "Home adds up the values of every workspace",
    edits: [
      {
        file: "lib/overview/home/summary.ts",
        find: "FROM contracts WHERE organization_id = $1 AND value_cents IS NOT NULL",
        replace: "FROM contracts WHERE $1::text IS NOT NULL AND value_cents IS NOT NULL",
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
