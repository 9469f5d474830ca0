/** Where else people can sign in, as next-auth wants to know it. */
import type { AuthOptions } from "next-auth";
import Google from "next-auth/providers/google";
import { settings } from "#lib/core/env.ts";

type Provider = AuthOptions["providers"][number];

/** What a service says of a person, in OpenID Connect's words. */
export interface Claims {
  sub?: string;
  email?: string;
  email_verified?: boolean | string;
  name?: string;
  /** Seconds since 1970. */
  auth_time?: number;
}

const checks: ("pkce" | "state" | "nonce")[] = ["pkce", "state", "nonce"];

const profile = ({ sub }: Claims) => ({ id: String(sub) });

export function ssoProviders(): Provider[] {
  const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, OIDC_NAME } = settings();
  const { GOOGLE_CLIENT_ID, GOOGLE_CLIENT_SECRET } = settings();
  const providers: Provider[] = [];
  if (OIDC_ISSUER && OIDC_CLIENT_ID && OIDC_CLIENT_SECRET) {
    providers.push({
      id: "oidc",
      name: OIDC_NAME,
      type: "oauth",
      wellKnown: `${OIDC_ISSUER.replace(/\/+$/, "")}/.well-known/openid-configuration`,
      clientId: OIDC_CLIENT_ID,
      clientSecret: OIDC_CLIENT_SECRET,
      authorization: { params: { scope: "openid email profile" } },
      idToken: true,
      checks,
      profile,
    });
  }
  if (GOOGLE_CLIENT_ID && GOOGLE_CLIENT_SECRET) {
    providers.push({
      ...Google({ clientId: GOOGLE_CLIENT_ID, clientSecret: GOOGLE_CLIENT_SECRET }),
      checks,
      profile,
    } as Provider);
  }
  return providers;
}
