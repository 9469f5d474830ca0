/** Access tokens: on whose behalf a call is made, and what it may do at this moment. */
import { hash } from "node:crypto";
import { clock } from "#lib/core/clock.ts";
import { asOrganization, type OrganizationId } from "#lib/core/context.ts";
import { query } from "#lib/core/db.ts";
import { settings } from "#lib/core/env.ts";
import { housekeeping } from "#lib/core/housekeeping.ts";
import { log } from "#lib/core/log.ts";
import { assistantScopes, type Role, type Scope, scopesOf } from "#lib/core/scopes.ts";
import { type AssistantPolicy, defaultPolicy } from "./lifecycle.ts";
import { isAllowed } from "./policy.ts";

/** The audience of tokens (RFC 8707): the assistant server, and nothing else. */
export const assistantResource = () => `${settings().BASE_URL}/mcp`;

/** A grant with what is needed to authorize a call, and the sequence number of its workspace's audit log. */
export interface FoundGrant {
  id: string;
  client: { id: string; name: string };
  user: { id: string; name: string; email: string };
  role: Role;
  organizationId: OrganizationId;
  subscriptionStatus: string;
  seq: number;
  hasListeners: boolean;
  /** The granted scopes that the role and the workspace's policy allow now. */
  scopes: readonly Scope[];
  granted: readonly Scope[];
  policy: AssistantPolicy;
}

interface Row {
  id: string;
  clientId: string;
  clientName: string;
  lastUsedAt: string | null;
  userId: string;
  name: string;
  email: string;
  role: Role;
  organizationId: string;
  subscriptionStatus: string;
  seq: string;
  hasListeners: boolean;
  scope: string;
  scopes: string[];
  policy: AssistantPolicy;
}

/** Tokens are 43 characters of base64url. Anything else is rejected without a query. */
const form = /^[\w-]{43}$/;

/** Finds the grant of a valid token. A member's removal, and a change of role or policy, take effect at once. */
export async function findGrant(token: string): Promise<FoundGrant | undefined> {
  if (!form.test(token)) return undefined;
  const [row] = await query<Row>(
    `SELECT g.id, g.client_id AS "clientId", g.client_name AS "clientName", g.last_used_at AS "lastUsedAt", g.scopes,
       u.id AS "userId", u.name, u.email, m.role, m.organization_id AS "organizationId",
       o.subscription_status AS "subscriptionStatus", h.seq, COALESCE(a.payload ->> 'scope', '') AS scope,
       COALESCE(p.policy, $3) AS policy,
       EXISTS (SELECT 1 FROM webhook_endpoints w WHERE w.organization_id = m.organization_id
         AND w.status = 'ENABLED' AND w.deleted_at IS NULL) AS "hasListeners"
     FROM assistant_artifacts a
     JOIN assistant_grants g ON g.organization_id = a.organization_id AND g.id = a.grant_id AND g.revoked_at IS NULL
     JOIN members m ON m.organization_id = g.organization_id AND m.user_id = g.user_id AND m.removed_at IS NULL
     JOIN users u ON u.id = m.user_id
     JOIN organizations o ON o.id = m.organization_id
     JOIN workspace_heads h ON h.organization_id = m.organization_id
     LEFT JOIN assistant_policies p ON p.organization_id = m.organization_id
     WHERE a.hash = $1 AND a.kind = 'AccessToken' AND a.expires_at > now() AND a.payload ->> 'aud' = $2`,
    [hash("sha256", token, "buffer"), assistantResource(), defaultPolicy],
  );
  if (!row || row.policy === "off") return undefined;
  recordUse(row);
  return foundFrom(row);
}

function foundFrom(row: Row): FoundGrant {
  const { id, role, policy, subscriptionStatus, hasListeners } = row;
  const inToken = row.scope.split(" ");
  const granted = assistantScopes.filter((scope) => row.scopes.includes(scope) && inToken.includes(scope));
  return {
    ...{ id, role, policy, subscriptionStatus, hasListeners, granted },
    client: { id: row.clientId, name: row.clientName },
    user: { id: row.userId, name: row.name, email: row.email },
    organizationId: asOrganization(row.organizationId),
    seq: Number(row.seq),
    scopes: granted.filter((scope) => scopesOf[role].includes(scope) && isAllowed(policy, scope)),
  };
}

/** Records the minute of the last use. Nothing waits for it, and a failure only leaves "last used" a minute older. */
function recordUse({ organizationId, id, lastUsedAt }: Row): void {
  const now = clock();
  if (lastUsedAt && now.getTime() - Date.parse(lastUsedAt) < 60_000) return;
  housekeeping((store) =>
    store.assistantGrant.updateMany({ where: { organizationId, id }, data: { lastUsedAt: now } }),
  ).catch((error) => log().warn({ error: error.message }, "the last use could not be recorded"));
}
