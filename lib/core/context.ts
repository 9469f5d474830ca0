/** On whose behalf something is done: the workspace, the actor, and what the actor may do. */
import { clock } from "./clock.ts";
import type { PeopleScope, Role, Scope } from "./scopes.ts";

declare const door: unique symbol;

/** The id of a workspace that a door has authenticated. Nothing else may create one. */
export type OrganizationId = string & { readonly [door]: true };

/**
 * Who acts: a program with a key, a signed-in member, a signer who opened a signing link (`session` is that visit), or
 * the system for schedules and jobs.
 */
export type Actor =
  | { kind: "api_key"; id: string; name: string }
  | { kind: "user"; id: string; name: string; email: string; role: Role }
  | { kind: "signer"; id: string; name: string; email: string; session: string }
  | { kind: "system"; id: string };

export interface Context {
  readonly organizationId: OrganizationId;
  readonly actor: Actor;
  /** The connected assistant through which the member acts; its id is the grant's. */
  readonly assistant?: { id: string; name: string } | undefined;
  readonly scopes: readonly string[];
  readonly requestId: string | null;
  readonly ip: string | null;
  readonly userAgent: string | null;
  /** When the request arrived: the one "now" and "today" for everything it does, and for its history. */
  readonly now: Date;
  /** The workspace's change number when the request arrived; null if it was not looked up. */
  readonly seq: number | null;
  /** The ETags of If-Match: the change is refused unless the resource still is one of them. */
  readonly ifMatch: string | null;
  /** The sign-in that the request came with; null if it came without one, undefined where none is possible. */
  readonly session?: Session | null;
  /** Aborted when the caller disconnects, so that abandoned work can stop. */
  readonly gone?: (() => AbortSignal) | undefined;
  /** False: no webhook endpoint was enabled when the request arrived, so its changes need not look for any. */
  readonly hasListeners?: boolean;
}

/** A person's sign-in. */
export interface Session {
  id: string;
  /** When the person last confirmed their identity. */
  passwordConfirmedAt: Date | null;
}

/** The origin of a request: everything known before the caller is authenticated. */
export type Visit = Pick<Context, "requestId" | "ip" | "userAgent" | "now" | "gone"> & {
  /** What the caller's device stores about earlier sign-ins (accounts/devices.ts). */
  readonly device?: string | null;
};

/** A signed-in person, regardless of the workspace they chose. */
export interface SignedIn extends Visit {
  readonly user: { id: string; name: string; email: string };
  readonly session: Session;
  /** The workspace chosen in this session, while the person is a member of it. */
  readonly organizationId: OrganizationId | null;
}

/** A visitor: an anonymous or a signed-in person. */
export interface Visitor extends Visit {
  readonly signedIn: SignedIn | null;
}

/** Marks a workspace's id as authenticated. For doors, operator commands and jobs only. */
export function asOrganization(id: string): OrganizationId {
  return id as OrganizationId;
}

/** The filter that every query of a workspace's rows must use. */
export function own(ctx: Context): { organizationId: OrganizationId } {
  return { organizationId: ctx.organizationId };
}

/** Whether the actor was granted a scope. */
export function hasScope(ctx: Context, scope: Scope | PeopleScope): boolean {
  return ctx.scopes.includes(scope);
}

/** The context for work of a schedule, a job or an operator in a workspace. */
export function systemContext(organizationId: string, id = "system", now = clock()): Context {
  return {
    organizationId: asOrganization(organizationId),
    actor: { kind: "system", id },
    scopes: [],
    requestId: null,
    ip: null,
    userAgent: null,
    now,
    seq: null,
    ifMatch: null,
  };
}
