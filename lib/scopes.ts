/** What a key or a role may do, as `resource:action`. */

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

/** The two kinds of key that a workspace can mint. */
export const presets = {
  full_access: scopes,
  read_only: scopes.filter((scope) => scope.endsWith(":read") && !adminOnly.has(scope)),
} satisfies Record<string, readonly Scope[]>;

export type Preset = keyof typeof presets;

export const roles = ["owner", "admin", "member", "viewer"] as const;

/** What a member is in a workspace. */
export type Role = (typeof roles)[number];
