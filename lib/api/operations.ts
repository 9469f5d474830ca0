/** Every operation by its name, `namespace.verb`: what the description, clients and metrics call it. */
import { analytics } from "#lib/analytics/operations.ts";
import { auditEvents } from "#lib/audit/operations.ts";
import { contracts, versions } from "#lib/contracts/operations.ts";
import { contacts, counterparties } from "#lib/counterparties/operations.ts";
import { me } from "#lib/keys/operations.ts";
import { invitations, members } from "#lib/members/operations.ts";
import { obligations } from "#lib/obligations/operations.ts";
import { signatures } from "#lib/signatures/operations.ts";
import { templates } from "#lib/templates/operations.ts";
import { webhookEndpoints } from "#lib/webhooks/operations.ts";
import type { AnyOperation } from "./operation.ts";

export const operations = {
  me,
  contracts,
  versions,
  counterparties,
  contacts,
  obligations,
  templates,
  signatures,
  members,
  invitations,
  webhookEndpoints,
  auditEvents,
  analytics,
};

export type Namespace = keyof typeof operations;

const names = new Map<AnyOperation, `${Namespace}.${string}`>(
  Object.entries(operations).flatMap(([namespace, verbs]) =>
    Object.entries(verbs).map(
      ([verb, operation]) => [operation, `${namespace as Namespace}.${verb}`] as const,
    ),
  ),
);

/** What an operation is called. */
export function nameOf(operation: AnyOperation): `${Namespace}.${string}` {
  const name = names.get(operation);
  if (!name) throw new Error(`"${operation.summary}" is not in lib/api/operations.ts, so it has no name.`);
  return name;
}
