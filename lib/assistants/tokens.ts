/** What an access token of a connected assistant stands for. */
import type { OrganizationId } from "#lib/core/context.ts";
import type { Role, Scope } from "#lib/core/scopes.ts";

/** What a member lets an assistant do in a workspace. */
export interface FoundGrant {
  id: string;
  client: { id: string; name: string };
  user: { id: string; name: string; email: string };
  role: Role;
  organizationId: OrganizationId;
  subscriptionStatus: string;
  seq: number;
  hasListeners: boolean;
  /** What the member granted, what the member's role allows now, and what the workspace allows: all three. */
  scopes: readonly Scope[];
  granted: readonly Scope[];
  policy: "off" | "read_only" | "as_granted";
}

/** The grant that a token belongs to, if it still holds. */
export async function findGrant(_token: string): Promise<FoundGrant | undefined> {
  return undefined;
}
