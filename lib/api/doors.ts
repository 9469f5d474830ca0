/** The doors: how a request proves whose workspace it may touch. Nothing else mints an OrganizationId. */
import { asOrganization, type Context } from "#lib/context.ts";
import { Refusal } from "#lib/errors.ts";
import { findKey, noteUse } from "#lib/keys/keys.ts";
import { isWellFormedKey } from "#lib/keys/secret.ts";
import { log } from "#lib/log.ts";

/** What a door knows of a request. */
export interface Knock {
  method: string;
  header(name: string): string | undefined;
  ip: string | null;
  requestId: string;
  now: Date;
}

export interface Admitted {
  ctx: Context;
  subscriptionStatus: string;
}

const notThisKey = () =>
  new Refusal("invalid_api_key", "The API key is not valid: it is mistyped, expired or revoked.");

/** The door for programs: the header x-api-key. */
export async function admitKey(knock: Knock): Promise<Admitted> {
  const key = knock.header("x-api-key")?.trim();
  if (!key) {
    throw new Refusal("missing_api_key", "Send an API key in the header x-api-key.");
  }
  const found = isWellFormedKey(key) ? await findKey(key) : undefined;
  if (!found?.usable) throw notThisKey();
  // Nobody waits for this, and a failure costs one minute of "last used".
  noteUse(found, knock.now).catch((error) => log().warn({ error: error.message }, "last use not noted"));
  const ctx: Context = {
    organizationId: asOrganization(found.organizationId),
    actor: { kind: "api_key", id: found.id, name: found.name },
    scopes: found.scopes,
    requestId: knock.requestId,
    ip: knock.ip,
    userAgent: knock.header("user-agent")?.slice(0, 500) ?? null,
    now: knock.now,
    seq: Number(found.seq),
    expected: knock.method === "PATCH" || knock.method === "PUT" ? (knock.header("if-match") ?? null) : null,
    hasListeners: found.hasListeners,
  };
  return { ctx, subscriptionStatus: found.subscriptionStatus };
}
