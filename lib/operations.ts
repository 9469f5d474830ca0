/** Every operation by its name, `namespace.verb`: what the description, clients and metrics call it. */

import { approvalRules, approvals } from "#lib/approvals/operations.ts";
import { assistantRequests, assistants } from "#lib/assistants/operations.ts";
import { auditEvents } from "#lib/audit/operations.ts";
import { comments } from "#lib/comments/operations.ts";
import { contracts, versions } from "#lib/contracts/operations.ts";
import type { AnyOperation } from "#lib/core/operation.ts";
import { contacts, counterparties } from "#lib/counterparties/operations.ts";
import { customFields } from "#lib/custom-fields/operations.ts";
import { deletions } from "#lib/deletion/operations.ts";
import { departures } from "#lib/handover/operations.ts";
import { imports } from "#lib/imports/operations.ts";
import { apiKeys, me } from "#lib/keys/operations.ts";
import { notifications, unsubscription } from "#lib/notifications/operations.ts";
import { obligations } from "#lib/obligations/operations.ts";
import { activity } from "#lib/overview/activity/operations.ts";
import { analytics } from "#lib/overview/analytics/operations.ts";
import { calendarFeed } from "#lib/overview/calendar-feeds/operations.ts";
import { counterpartyDetails } from "#lib/overview/counterparties/operations.ts";
import { home } from "#lib/overview/home/operations.ts";
import { savedFilters } from "#lib/overview/saved-filters/operations.ts";
import { search } from "#lib/overview/search/operations.ts";
import { account, profile, sessions, workspaces } from "#lib/people/accounts/operations.ts";
import { invitations, members, workspace } from "#lib/people/members/operations.ts";
import { previews } from "#lib/previews/operations.ts";
import { proposals } from "#lib/proposals/operations.ts";
import { signatures, verification } from "#lib/signatures/requests/operations.ts";
import { sending } from "#lib/signatures/send/operations.ts";
import { ceremony } from "#lib/signatures/sign/operations.ts";
import { templates } from "#lib/templates/operations.ts";
import { uploads } from "#lib/uploads/operations.ts";
import { webhookEndpoints } from "#lib/webhooks/operations.ts";

/** Those in a workspace whose namespace the public API has. What routes.ts does not name is for people alone. */
export const operations = {
  me,
  contracts: { ...contracts, ...activity, ...deletions },
  versions,
  counterparties: { ...counterparties, ...counterpartyDetails },
  contacts,
  obligations,
  templates,
  signatures: { ...signatures, ...sending },
  members: { ...members, ...departures },
  invitations,
  webhookEndpoints,
  auditEvents,
  analytics,
};

const { open, ...duringVisit } = ceremony;

/** What signers do, at doors of their own, by the link of an e-mail or in the visit that it began. */
export const signerOperations = { link: { open }, visit: duringVisit };

/** All of it, for the types of clients. */
export type SignerOperations = typeof ceremony;

/** What only people do in a workspace. */
export const memberOperations = {
  workspace,
  apiKeys,
  assistants,
  comments,
  approvals,
  approvalRules,
  customFields,
  savedFilters,
  home,
  search,
  notifications,
  previews,
  proposals,
  uploads,
  imports,
};

/** What a signed-in person does with their own things. */
export const personalOperations = { profile, sessions, workspaces, calendarFeed, assistantRequests };

/** What anyone can ask for. */
export const visitorOperations = { account, unsubscription, verification };

export type Namespace = keyof typeof operations;

/** All that the members' door knows, by name; for the types of clients. */
export type MemberOperations = Omit<typeof operations, "me"> &
  typeof memberOperations &
  typeof personalOperations &
  typeof visitorOperations;

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
  if (!name) throw new Error(`"${operation.summary}" is not in lib/operations.ts, so it has no name.`);
  return name;
}

/** At which doors our own pages call. */
export type PageDoor = "member" | "person" | "visitor";
export type SignerDoor = keyof typeof signerOperations;

/** An operation as doors find it: by its name, with who may call it. */
export interface Named<Door extends string = PageDoor> {
  door: Door;
  operation: AnyOperation;
}

// `me` tells what a key is; people have a profile.
const { me: _, ...common } = operations;

const pageDoors: [PageDoor, Record<string, Record<string, AnyOperation>>][] = [
  ["member", common],
  ["member", memberOperations],
  ["person", personalOperations],
  ["visitor", visitorOperations],
];

const byName = new Map<string, Named>(
  pageDoors.flatMap(([door, table]) =>
    Object.entries(table).flatMap(([namespace, verbs]) =>
      Object.entries(verbs).map(([verb, operation]): [string, Named] => [
        `${namespace}.${verb}`,
        { door, operation },
      ]),
    ),
  ),
);

/** What the members' doors know by this name. */
export function findOperation(name: string): Named | undefined {
  return byName.get(name);
}

export function namedOperations(): [string, Named][] {
  return [...byName];
}

const ofSigners = new Map<string, Named<SignerDoor>>(
  Object.entries(signerOperations).flatMap(([door, verbs]) =>
    Object.entries(verbs).map(([verb, operation]): [string, Named<SignerDoor>] => [
      verb,
      { door: door as SignerDoor, operation },
    ]),
  ),
);

/** What the signers' doors know by this name; the members' doors do not know it. */
export function findSignerOperation(name: string): Named<SignerDoor> | undefined {
  return ofSigners.get(name);
}
