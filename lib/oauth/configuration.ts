/**
 * The configuration of oidc-provider: an OAuth 2.1 server for public clients and a single resource, and nothing else.
 */
import { createPrivateKey } from "node:crypto";
import type { Configuration, errors as Errors, interactionPolicy, JWK, Provider } from "oidc-provider";
import { clientMetadata, describeProgram, newClientId } from "#lib/assistants/clients.ts";
import { assistantResource } from "#lib/assistants/tokens.ts";
import { keyFor } from "#lib/core/encryption.ts";
import { limiter } from "#lib/core/limits/limiter.ts";
import { assistantScopes } from "#lib/core/scopes.ts";
import { adapters } from "./adapter.ts";
import { authorizePath } from "./paths.ts";
import { problemPage, problemPagePolicy } from "./problem-page.ts";

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/** The library, which is imported when it is first needed. */
export interface Library {
  Provider: typeof Provider;
  errors: typeof Errors;
  interactionPolicy: typeof interactionPolicy;
}

/** `fetchDocument` fetches a client ID metadata document. */
export function configuration(
  library: Library,
  fetchDocument: (url: string | URL) => Promise<Response>,
): Configuration {
  const { Provider, errors } = library;
  return {
    adapter: adapters(
      () => Provider.ctx?.oidc.route,
      () => new errors.InvalidGrant("already used"),
    ),
    ...tokens,
    async rotateRefreshToken({ oidc: { entities } }) {
      await limitRefreshes(entities.RefreshToken?.grantId, errors);
      return true;
    },
    ...endpoints(library),
    clientAuthMethods: ["none"],
    clientDefaults: { id_token_signed_response_alg: "EdDSA", token_endpoint_auth_method: "none" },
    // Called for each program, whatever its metadata has, before the library validates it.
    extraClientMetadata: {
      properties: ["software_id"],
      validator: (_ctx, _key, _value, metadata) => {
        const kept = clientMetadata(metadata);
        if (typeof kept === "string") throw new errors.InvalidClientMetadata(kept);
        const { client_id, client_id_issued_at } = metadata;
        for (const name of Object.keys(metadata)) delete metadata[name];
        Object.assign(metadata, { client_id, client_id_issued_at }, kept);
      },
    },
    fetch: (url) => fetchDocument(String(url)),
    clientBasedCORS: () => true,
    findAccount: (_ctx, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
    interactions: {
      policy: [consentOf(library)],
      url: (_ctx, { uid }) => `/connect/${uid}`,
    },
    renderError(ctx, { error, error_description: detail }) {
      ctx.type = "html";
      ctx.set("content-security-policy", problemPagePolicy);
      ctx.body = problemPage(error, detail);
    },
  };
}

const tokens = {
  ttl: {
    Interaction: 20 * minute,
    AuthorizationCode: minute,
    AccessToken: hour,
    RefreshToken: 30 * day,
    Grant: 30 * day,
    Session: hour,
  },
  pkce: { required: () => true },
  issueRefreshToken: () => true,
  // The library has no session: every call checks that the person is still a member.
  expiresWithSession: () => false,
  // Revoking any token, or using one twice, ends the whole grant.
  revokeGrantPolicy: () => true,
} satisfies Configuration;

/**
 * The most refreshes per grant and hour. Used refresh tokens are stored to detect a second use, so their number must be
 * limited.
 */
const maxRefreshes = 60;

async function limitRefreshes(grantId: string | undefined, errors: typeof Errors): Promise<void> {
  const { isOver } = await limiter("assistant:refresh", maxRefreshes, hour).count(String(grantId));
  if (isOver) throw new errors.InvalidRequest("too many refreshes: an access token lives for an hour", 429);
}

function endpoints({ errors }: Library): Configuration {
  return {
    routes: {
      authorization: authorizePath,
      token: "/oauth/token",
      registration: "/oauth/register",
      revocation: "/oauth/revoke",
      jwks: "/oauth/jwks",
    },
    responseTypes: ["code"],
    scopes: ["offline_access"],
    jwks: { keys: [idTokenKey()] },
    enabledJWA: { idTokenSigningAlgValues: ["EdDSA"] },
    cookies: {
      keys: [keyFor("assistant cookies").toString("base64")],
      names: {
        session: "countersign.oauth",
        interaction: "countersign.oauth-request",
        resume: "countersign.oauth-return",
      },
      long: { path: "/oauth", sameSite: "lax", httpOnly: true, signed: true },
      short: { sameSite: "lax", httpOnly: true, signed: true },
    },
    features: {
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      userinfo: { enabled: false },
      revocation: {
        enabled: true,
        allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId,
      },
      registration: { enabled: true, idFactory: newClientId, issueRegistrationAccessToken: false },
      clientIdMetadataDocument: {
        enabled: true,
        ack: "draft-02",
        cacheDuration: { min: 5 * minute, max: day },
      },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => assistantResource(),
        useGrantedResource: () => true,
        getResourceServerInfo(_ctx, resource) {
          if (resource.replace(/\/$/, "") !== assistantResource()) throw new errors.InvalidTarget();
          const audience = assistantResource();
          return { scope: assistantScopes.join(" "), audience, accessTokenFormat: "opaque" };
        },
      },
    },
  };
}

/**
 * Always asks for consent: a program is connected to one of several workspaces, and its scopes are chosen each time.
 */
function consentOf({ interactionPolicy: { Check, Prompt } }: Library) {
  return new Prompt(
    { name: "consent", requestable: true },
    ({ oidc: { client, params } }) => ({
      program: describeProgram(client!.clientId, client!.clientName, String(params?.redirect_uri)),
    }),
    new Check("undecided", "the person has not decided", ({ oidc }) => !oidc.result?.consent),
  );
}

/**
 * Returns the key for ID tokens, which the library requires although none is ever issued. It is the same on every
 * server.
 */
function idTokenKey(): JWK {
  // The PKCS #8 prefix of an Ed25519 private key: RFC 8410, section 7.
  const prefix = Buffer.from("302e020100300506032b657004220420", "hex");
  const key = Buffer.concat([prefix, keyFor("assistant id tokens")]);
  const jwk = createPrivateKey({ key, format: "der", type: "pkcs8" }).export({ format: "jwk" });
  return { ...jwk, use: "sig", alg: "EdDSA" } as JWK;
}
