/** Every operation by its name, `namespace.verb`: what the description, clients and metrics call it. */
import { profile, sessions, workspaces } from "#lib/accounts/operations.ts";
import { analytics } from "#lib/analytics/operations.ts";
import { auditEvents } from "#lib/audit/operations.ts";
import { contracts } from "#lib/contracts/operations.ts";
import { contacts, counterparties } from "#lib/counterparties/operations.ts";
import { me } from "#lib/keys/operations.ts";
import { invitations, members } from "#lib/members/operations.ts";
import { obligations } from "#lib/obligations/operations.ts";
import { signatures } from "#lib/signatures/operations.ts";
import { templates } from "#lib/templates/operations.ts";
import { webhookEndpoints } from "#lib/webhooks/operations.ts";
import type { AnyOperation } from "./operation.ts";

/** Those in a workspace. What routes.ts does not name is for members alone. */
export const operations = {
  me,
  contracts,
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

/** What a signed-in person does with their own things. */
export const personalOperations = { profile, sessions, workspaces };

/** What anybody can ask for. */
export const visitorOperations = {};

export type Namespace = keyof typeof operations;

/** All that the members' door knows, by name; for the types of clients. */
export type MemberOperations = typeof operations & typeof personalOperations & typeof visitorOperations;

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

export type AnyDoor = "member" | "person" | "visitor";

/** An operation as the members' door finds it: by its name, with who may call it. */
export interface Named {
  door: AnyDoor;
  operation: AnyOperation;
}

const byName = new Map<string, Named>(
  Object.entries({ member: operations, person: personalOperations, visitor: visitorOperations }).flatMap(
    ([door, table]) =>
      Object.entries(table as Record<string, Record<string, AnyOperation>>).flatMap(([namespace, verbs]) =>
        Object.entries(verbs).map(
          ([verb, operation]) =>
            [`${namespace}.${verb}`, { door: door as AnyDoor, operation }] satisfies [string, Named],
        ),
      ),
  ),
);

export function findOperation(name: string): Named | undefined {
  return byName.get(name);
}

export function namedOperations(): [string, Named][] {
  return [...byName];
}
