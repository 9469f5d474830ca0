/** Permissions of keys and roles, as `resource:action`. */

/** The scopes that a key can have. */
export const scopes = [
  "contracts:read",
  "contracts:write",
  "counterparties:read",
  "counterparties:write",
  "obligations:read",
  "obligations:write",
  "members:read",
  "members:write",
  "templates:read",
  "analytics:read",
  "signatures:read",
  "webhooks:read",
  "webhooks:write",
  "audit:read",
  "search:read",
] as const;

export type Scope = (typeof scopes)[number];

const adminOnly = new Set<Scope>(["webhooks:read", "audit:read"]);

/** The two presets for a workspace's keys. */
export const presets = {
  full_access: scopes,
  read_only: scopes.filter((scope) => scope.endsWith(":read") && !adminOnly.has(scope)),
} satisfies Record<string, readonly Scope[]>;

export type Preset = keyof typeof presets;

/** The scopes that a member can grant an assistant: none that send, sign, invite or reveal secrets. */
export const assistantScopes = [
  "contracts:read",
  "contracts:write",
  "counterparties:read",
  "counterparties:write",
  "obligations:read",
  "obligations:write",
  "templates:read",
  "analytics:read",
  "signatures:read",
  "audit:read",
  "search:read",
] as const satisfies readonly Scope[];

export type AssistantScope = (typeof assistantScopes)[number];

export const roles = ["owner", "admin", "member", "viewer"] as const;

/** A member's role in a workspace. */
export type Role = (typeof roles)[number];

/** Scopes only for people: no key ever has these. */
export const peopleScopes = [
  "templates:write",
  "signatures:write",
  "keys:read",
  "keys:write",
  "workspace:write",
  "data:export",
] as const;

export type PeopleScope = (typeof peopleScopes)[number];

const reads = scopes.filter((scope) => scope.endsWith(":read") && !adminOnly.has(scope));

/** What each role may do. The domain decides who may change owners or the plan. */
export const scopesOf: Record<Role, readonly (Scope | PeopleScope)[]> = {
  owner: [...scopes, ...peopleScopes],
  admin: [...scopes, ...peopleScopes],
  member: [...reads, "contracts:write", "counterparties:write", "obligations:write", "signatures:write"],
  viewer: reads,
};

/** The roles that have all of these scopes. */
export function rolesWith(needed: readonly (Scope | PeopleScope)[]): Role[] {
  return roles.filter((role) => needed.every((scope) => scopesOf[role].includes(scope)));
}
